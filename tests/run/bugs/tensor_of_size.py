"""A bug of PyTorch 2.13 (pytorch/pytorch#196467): torch.Tensor(size) makes a tensor of the size's numbers, not of that size.

Truth: it is Dynamo's: from backend eager on.
"""

import torch


def room_for(x):
    return torch.Tensor((x @ torch.ones(10, 3)).size())


print("numbers", torch.compile(room_for, fullgraph=True)(torch.ones(2, 10)).numel())
