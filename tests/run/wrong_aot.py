"""Another result as soon as AOTAutograd traces into an operator: it sees no plain tensor there. No kernel is built.

Truth: 56.0000 without torch.compile and with backend eager, 84.0000 from backend aot_eager on.
"""

import torch

library = torch.library.Library("mine", "DEF")
library.define("scale(Tensor x) -> Tensor")


def scale(x):
    return x * (2 if type(x) is torch.Tensor else 3)


library.impl("scale", scale, "CompositeImplicitAutograd")


@torch.compile(backend="aot_eager")
def f(x):
    return torch.ops.mine.scale(x).sum()


print(f"sum {f(torch.arange(8.0)).item():.4f}")
