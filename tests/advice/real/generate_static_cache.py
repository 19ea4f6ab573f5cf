# The cache has one size for each call, which goes by the length of the prompt.
# finding: recompile-size
# also: recompile-int
# says: `LlamaForCausalLM.forward` .*`input_ids`(.|\n)*pad_to_multiple_of
# never-says: `kwargs\[|`wrapper`
import torch
from transformers import LlamaConfig, LlamaForCausalLM
from result import result

torch.manual_seed(0)
config = LlamaConfig(vocab_size=64, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=128, pad_token_id=0, bos_token_id=1, eos_token_id=None)
model = LlamaForCausalLM(config).eval()
model.forward = torch.compile(model.forward, backend="eager")


def answer(prompt):
    with torch.no_grad():
        return model.generate(prompt, max_new_tokens=12, do_sample=False, cache_implementation="static")  # HERE


for length in (5, 9, 14):
    result(answer(torch.randint(2, 64, (1, length))))
