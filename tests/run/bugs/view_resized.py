"""A bug of PyTorch 2.13 (pytorch/pytorch#191449): a view that changes nothing becomes the tensor itself, and resizing it both.

Truth: 1 without torch.compile and with all backends but inductor, 12 with it: remove_noop_ops or pointless_view,
passes of different stages, takes the view out; switching off one of them leaves the other.
"""

import torch


@torch.compile
def resized(x):
    base = x + 1
    base.view(-1).resize_(12)
    return base + 1


print("numbers", resized(torch.zeros(1)).numel())
