"""A tensor that was left on the CPU."""
# fails: (?i)device
# fix to: \.to\(
import torch
from variant import FIX, result

offset = torch.ones(64)


@torch.compile
def shift(x):
    return x + (offset.to(x.device) if FIX == "to" else offset)


result(shift(torch.ones(8, 64, device="cuda")).sum())
