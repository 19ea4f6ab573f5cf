"""A bug of PyTorch 2.13 (pytorch/pytorch#139789): that inputs share memory in the second call has no guard.

Truth: 4 4 3 3 without torch.compile and with backend eager, 3 3 3 3 from backend aot_eager on.
"""

import torch


@torch.compile(backend="aot_eager")
def doubled_and_added(x, y):
    x.mul_(2)
    return x + y


doubled_and_added(torch.ones(4), torch.ones(4))
both = torch.ones(8)
print("values", *doubled_and_added(both[:4], both[2:6]).tolist())
