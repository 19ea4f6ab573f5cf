# What the reports on the other two advise: prompts are padded, the cache is static. Two compiles are left, as they are meant to be.
# clean
# never-says: No graph breaks, recompiles
import torch
from transformers import LlamaConfig, LlamaForCausalLM
from result import result

torch.manual_seed(0)
config = LlamaConfig(vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=128, pad_token_id=0, bos_token_id=1, eos_token_id=None)
model = LlamaForCausalLM(config).eval()
model.forward = torch.compile(model.forward, backend="eager")


def answer(prompt):
    padding = -prompt.shape[1] % 16
    mask = torch.nn.functional.pad(torch.ones_like(prompt), (padding, 0))
    prompt = torch.nn.functional.pad(prompt, (padding, 0))
    with torch.no_grad():
        return model.generate(prompt, attention_mask=mask, max_new_tokens=12, do_sample=False, cache_implementation="static")[:, padding:]


for length in (5, 9, 14):
    result(answer(torch.randint(2, 64, (1, length))))
