"""A bug of PyTorch 2.13 (pytorch/pytorch#188223): take of a permutation behind an operator in place breaks a joint-graph pass.

Truth: a RuntimeError of the pattern matcher, in Inductor.
"""

import torch

values = torch.rand(3, 16, dtype=torch.float16)


def some():
    return torch.take(torch.sigmoid_(values), torch.randperm(8))


with torch.no_grad():
    print("shape", *torch.compile(some)().shape)
