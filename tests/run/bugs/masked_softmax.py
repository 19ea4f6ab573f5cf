"""A bug of PyTorch 2.13 (pytorch/pytorch#188228): a scatter into a constant mask before a softmax ends in KeyError: 'buf…'.

Truth: an InductorError, of the fusion of outer loops of the C++ backend.
"""

import torch


def attention(scores):
    i = torch.arange(8)
    mask = torch.full((8, 8), -1e4)
    mask[i.unsqueeze(0), i.unsqueeze(1)] = 0
    return torch.softmax(scores + mask, dim=-1)


print("sum", torch.compile(attention)(torch.ones(8, 8)).sum().item())
