"""A bug of PyTorch 2.13 (pytorch/pytorch#133512): functionalization gives what an operator in place returns other strides.

Truth: 1 3 5 without torch.compile and with backend eager, 1 5 9 from backend aot_eager on.
"""

import torch


@torch.compile(backend="aot_eager")
def every_second(x):
    x.add_(1)
    return torch.as_strided_copy(x, (3,), (2,))


print("values", *every_second(torch.arange(10)[::2]).tolist())
