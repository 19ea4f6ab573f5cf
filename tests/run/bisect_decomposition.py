"""Fails where a decomposition of its own is applied: hardswish comes out as another function.

No kernel has to be built for it: the backend without Inductor shows it already.
"""

import sys

import torch
import torch._inductor.decomposition

aten = torch.ops.aten


def wrong(x):
    return x * torch.clamp(x + 4, 0, 6) / 6


torch._inductor.decomposition.decompositions[aten.hardswish.default] = wrong


@torch.compile
def f(x):
    y = torch.nn.functional.silu(x) + torch.nn.functional.hardtanh(x)
    return torch.nn.functional.hardswish(y).sum()


x = torch.linspace(-2, 2, 16)
got = f(x).item()
print(f"sum {got:.4f}")
want = torch.nn.functional.hardswish(torch.nn.functional.silu(x) + torch.nn.functional.hardtanh(x)).sum().item()
if "check" in sys.argv and abs(got - want) > 1e-3:
    sys.exit("the sum is wrong")
