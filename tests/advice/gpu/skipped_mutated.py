"""CUDA graphs were asked for, and an input is changed in place."""
# warns: skipping cudagraphs
# finding: cudagraphs-skipped
# fix new: Return a new tensor
# fix buffer: parameter or buffer
import torch
from variant import FIX, result


class Count(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(64, device="cuda"))

    def forward(self, x, seen):
        if FIX == "buffer":
            self.seen.add_(x)
            return x * self.seen, self.seen
        if FIX == "new":
            seen = seen + x
        else:
            seen.add_(x)
        return x * seen, seen


model = torch.compile(Count(), mode="reduce-overhead")
seen = torch.zeros(64, device="cuda")
with torch.no_grad():
    for _ in range(4):
        y, last = model(torch.ones(64, device="cuda"), seen)
        seen = last.clone() if FIX == "new" else seen
        y = y.clone()
result(y.sum())
