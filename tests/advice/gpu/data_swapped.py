"""A parameter gets other memory after a CUDA graph was recorded."""
# fails: static input data pointer changed
# fix copy: copy_
# fix default: without CUDA graphs
# fix reset: torch\.compiler\.reset
import torch
from variant import FIX, result

torch.manual_seed(0)
model = torch.nn.Linear(32, 32).cuda()
torch._inductor.config.triton.cudagraph_unexpected_rerecord_limit = 0
compiled = torch.compile(model, mode="default" if FIX == "default" else "reduce-overhead")
x = torch.ones(8, 32, device="cuda")
with torch.no_grad():
    for _ in range(4):
        compiled(x)
    new = torch.full((32, 32), 0.5, device="cuda")
    if FIX == "copy":
        model.weight.copy_(new)
    else:
        model.weight.data = new
    if FIX == "reset":
        torch.compiler.reset()
    for _ in range(4):
        y = compiled(x)
result(y.sum())
