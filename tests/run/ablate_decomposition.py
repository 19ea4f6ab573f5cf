"""A decomposition of the program's own is wrong: it is not used before aot_eager_decomp_partition."""

import torch
import torch._inductor.decomposition


def wrong(x):
    return torch.ops.aten.mm.default(x, x)


torch._inductor.decomposition.decompositions[torch.ops.aten.relu.default] = wrong


@torch.compile
def f(x):
    return torch.mm(torch.relu(x), x)


print(f"sum {f(torch.full((4, 4), 2.0)).sum().item():.4f}")
