"""A tensor that is made on the CPU and copied to the GPU in the compiled function."""
# warns: DeviceCopy in input program
# fix device: device=x\.device
import torch
from variant import FIX, result


@torch.compile
def scale(x):
    table = torch.arange(64, device=x.device) if FIX == "device" else torch.arange(64).to(x.device)
    return x * table


result(scale(torch.ones(8, 64, device="cuda")).sum())
