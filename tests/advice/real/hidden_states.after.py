import torch
from result import result
from transformers import GPT2Config, GPT2Model

torch.manual_seed(0)
model = GPT2Model(GPT2Config(vocab_size=64, n_positions=32, n_embd=32, n_layer=2, n_head=4)).eval()
with torch.no_grad():
    model(input_ids=torch.zeros(2, 8, dtype=torch.long), output_hidden_states=True)
compiled = torch.compile(model, backend="eager")
with torch.no_grad():
    for step in range(4):
        ids = torch.randint(0, 64, (2, 8))
        if step % 3 == 0:
            result(compiled(input_ids=ids, output_hidden_states=True).hidden_states[1])
        else:
            result(compiled(input_ids=ids).last_hidden_state)
