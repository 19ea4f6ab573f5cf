# Texts of two lengths. The first step of the decoder fills its cache, the later ones read it.
# finding: recompile-size
# says: `T5ForConditionalGeneration.forward` .*`list\(encoder_outputs.values\(\)\)\[0\]`
# never-says: `kwargs\[|`wrapper`
import torch
from transformers import T5Config, T5ForConditionalGeneration
from result import result

torch.manual_seed(0)
config = T5Config(vocab_size=64, d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0, pad_token_id=0, eos_token_id=None)
model = T5ForConditionalGeneration(config).eval()
model.forward = torch.compile(model.forward, backend="eager")


def summarize(ids):
    with torch.no_grad():
        return model.generate(ids, max_new_tokens=8, do_sample=False)  # HERE


for length in (6, 11):
    result(summarize(torch.randint(2, 64, (1, length))))
