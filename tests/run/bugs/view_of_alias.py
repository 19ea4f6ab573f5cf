"""A bug of PyTorch 2.13 (pytorch/pytorch#198095): a view of an input that shares memory with another, which is changed in place.

Truth: it is AOTAutograd's: it takes the view of the input's base, and an AssertionError says that the shape is another.
"""

import torch


@torch.compile(backend="aot_eager")
def first_of_rest(whole, rest):
    whole.add_(100)
    return rest[0]


whole = torch.arange(24.0).reshape(4, 6)
print("row", *first_of_rest(whole, whole[1:]).tolist())
