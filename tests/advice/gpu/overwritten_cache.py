"""A cache that the model makes in its first compiled call."""
# fails: accessing tensor output of CUDAGraphs that has been overwritten
# fix before: Make it before the first compiled call
# fix default: no mode "reduce-overhead"
import torch
from variant import FIX, result


class Rotary(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.arange(64, device="cuda").float().cos() if FIX == "before" else None

    def forward(self, x):
        if self.table is None:
            self.table = torch.arange(64, device="cuda").float().cos()
        return x * self.table


model = torch.compile(Rotary(), mode="default" if FIX == "default" else "reduce-overhead")
with torch.no_grad():
    for step in range(5):
        torch.compiler.cudagraph_mark_step_begin()
        y = model(torch.full((8, 64), float(step), device="cuda"))
result(y.sum())
