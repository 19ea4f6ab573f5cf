# A step of the program's own, which a decorator excludes: nothing of that is by PyTorch's design.
# finding: break-on-purpose
# says: by a decorator
# never-says: plain Python
# versions: 2.6+
import torch
from result import result


class Ledger:
    @torch.compiler.disable
    def step(self, x):
        return x.cos()


ledger = Ledger()


@torch.compile(backend="eager")
def update(x):
    x = x.sin() * 2
    x = ledger.step(x)  # HERE
    return x.exp() + 1


result(update(torch.ones(3)))
