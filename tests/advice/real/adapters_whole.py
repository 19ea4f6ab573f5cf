# The model that PEFT wraps is compiled with PEFT's own code around it, which Dynamo cannot trace: all of it runs eagerly.
# finding: break-other
# says: peft.peft_model.forward(.|\n)*inside it
# never-says: put `@torch.compiler.disable` on a function of your own
# also: break-print recompile-requires-grad empty-graph skipped-frame
# tolerance: 1e-5
import torch
from peft import LoraConfig, get_peft_model
from transformers import GPT2Config, GPT2LMHeadModel
from result import result

torch.manual_seed(0)
base = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=64, n_embd=32, n_layer=2, n_head=4))
model = get_peft_model(base, LoraConfig(r=4, lora_alpha=8, target_modules=["c_attn"], task_type="CAUSAL_LM"))
model.add_adapter("second", LoraConfig(r=4, lora_alpha=8, target_modules=["c_attn"], task_type="CAUSAL_LM"))
compiled = torch.compile(model, backend="aot_eager")
ids = torch.randint(0, 64, (2, 10))
for step in range(6):
    model.set_adapter("default" if step % 2 == 0 else "second")
    loss = compiled(input_ids=ids, labels=ids).loss  # HERE
    loss.backward()
    result(loss)
