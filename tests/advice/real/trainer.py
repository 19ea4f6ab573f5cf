# The Trainer compiles the model; each batch is padded to its longest row, and the last one is smaller.
# finding: recompile-size
# says: dataloader_drop_last
# never-says: `kwargs\[|`wrapper`
# output: differs
import sys
import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments
from result import result

torch.manual_seed(0)
config = BertConfig(vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, max_position_embeddings=64, num_labels=3, problem_type="single_label_classification")
model = BertForSequenceClassification(config)


class Texts(torch.utils.data.Dataset):
    def __len__(self):
        return 18

    def __getitem__(self, index):
        generator = torch.Generator().manual_seed(index)
        return {"input_ids": torch.randint(1, 100, (8 + index,), generator=generator), "labels": index % 3}


def collate(rows):
    return {"input_ids": torch.nn.utils.rnn.pad_sequence([row["input_ids"] for row in rows], batch_first=True), "labels": torch.tensor([row["labels"] for row in rows])}


arguments = TrainingArguments(output_dir="out", num_train_epochs=1, per_device_train_batch_size=4, torch_compile=True, torch_compile_backend="aot_eager", report_to=[], use_cpu=True, save_strategy="no", logging_steps=1, disable_tqdm=True)
trainer = Trainer(model=model, args=arguments, train_dataset=Texts(), eval_dataset=Texts(), data_collator=collate)
trainer.train()  # HERE
result(trainer.evaluate()["eval_loss"])
