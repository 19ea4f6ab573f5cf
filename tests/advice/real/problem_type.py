# The model sets `problem_type` of its configuration in its first call: the second one is compiled again.
# finding: recompile-none
# says: `BertForSequenceClassification.forward` .*`self.config.problem_type` was None(.|\n)*Set it beforehand
import torch
from transformers import BertConfig, BertForSequenceClassification
from result import result

torch.manual_seed(0)
config = BertConfig(vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, max_position_embeddings=64, num_labels=3)
model = BertForSequenceClassification(config)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
compiled = torch.compile(model, backend="aot_eager")


def batch(length):
    return {"input_ids": torch.randint(1, 100, (4, length)), "attention_mask": torch.ones(4, length, dtype=torch.long), "labels": torch.randint(0, 3, (4,))}


model.train()
for length in (12, 12, 12):
    loss = compiled(**batch(length)).loss  # HERE
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    result(loss)
