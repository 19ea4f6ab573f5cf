"""A bug of PyTorch 2.13 (pytorch/pytorch#190765): flipping what was repeated, with symbolic sizes, reads beside the tensor.

Truth: Inductor's index of the flip is wrong (ModularIndexing); eager mode prints what is right.
"""

import torch


def doubled_backwards(x):
    return torch.flip(torch.repeat_interleave(torch.flatten(x + 3.0), 2), [0])


x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print("values", *torch.compile(doubled_backwards, dynamic=True)(x).tolist())
