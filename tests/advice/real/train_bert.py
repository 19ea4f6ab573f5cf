# Batches of several lengths; then the same model without gradients, which is one more compile.
# finding: recompile-size
# also: recompile-global-state
# says: `BertForSequenceClassification.forward` .*`attention_mask` and `input_ids`|`input_ids` and `attention_mask`
# never-says: `kwargs\[|`wrapper`
import torch
from transformers import BertConfig, BertForSequenceClassification
from result import result

torch.manual_seed(0)
config = BertConfig(vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, max_position_embeddings=64, num_labels=3, problem_type="single_label_classification")
model = BertForSequenceClassification(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
compiled = torch.compile(model, backend="aot_eager")


def batch(length):
    return {"input_ids": torch.randint(1, 100, (4, length)), "attention_mask": torch.ones(4, length, dtype=torch.long), "labels": torch.randint(0, 3, (4,))}


model.train()
for length in (12, 17, 9, 20):
    loss = compiled(**batch(length)).loss  # HERE
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    result(loss)

model.eval()
with torch.no_grad():
    for length in (8, 11):
        features = batch(length)
        features.pop("labels")
        result(compiled(**features).logits)
