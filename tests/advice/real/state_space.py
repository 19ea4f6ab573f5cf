# A state space model reads texts of several lengths.
# finding: recompile-size
# limit: 900
# also: recompile-shape-relation
# says: `MambaForCausalLM.forward` .*`input_ids`
# never-says: `kwargs\[|`wrapper`
import torch
from transformers import MambaConfig, MambaForCausalLM
from result import result

torch.manual_seed(0)
config = MambaConfig(vocab_size=64, hidden_size=32, state_size=8, num_hidden_layers=2, pad_token_id=0, bos_token_id=1, eos_token_id=2)
model = torch.compile(MambaForCausalLM(config).eval(), backend="eager")
with torch.no_grad():
    for length in (6, 9, 12):
        ids = torch.randint(3, 64, (2, length))
        result(model(input_ids=ids, use_cache=False).logits.sum())  # HERE
