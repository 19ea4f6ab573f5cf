"""Many small kernels, which the GPU waits for."""
# activity
# finding: gpu-idle
# fix graphs: mode="reduce-overhead"
import torch
from variant import FIX, result

torch._inductor.config.max_fusion_size = 1
torch.manual_seed(0)
model = torch.nn.Sequential(*(torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Tanh()) for _ in range(24))).cuda()
compiled = torch.compile(model, mode="reduce-overhead" if FIX == "graphs" else "default")
x = torch.ones(4, 64, device="cuda")
with torch.no_grad():
    for _ in range(3000):
        y = compiled(x)
torch.cuda.synchronize()
result(y.sum())
