"""A bug of PyTorch 2.13 (pytorch/pytorch#198189): Dynamo drops what OrderedDict.move_to_end did to a dictionary of the caller.

Truth: 2 1 without torch.compile, 1 2 with every backend.
"""

import collections

import torch


@torch.compile(backend="eager")
def used(cache, x):
    cache.move_to_end("first")
    return x + 1


cache = collections.OrderedDict(first=1, second=2)
used(cache, torch.ones(1))
print("order", *cache.values())
