# finding: recompile-size
# says: `MixtralForCausalLM.forward` .*`input_ids`
# never-says: `kwargs\[|`wrapper`
import torch
from transformers import MixtralConfig, MixtralForCausalLM
from result import result

torch.manual_seed(0)
config = MixtralConfig(vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, num_local_experts=4, num_experts_per_tok=2, max_position_embeddings=128)
model = MixtralForCausalLM(config).eval()
compiled = torch.compile(model, backend="eager")
with torch.no_grad():
    for length in (6, 10, 13):
        ids = torch.randint(0, 64, (2, length))
        result(compiled(input_ids=ids, use_cache=False).logits.sum())  # HERE
