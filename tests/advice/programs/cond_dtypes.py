# The branches of cond return tensors of two dtypes: convert one of them. Nothing computes in low precision, as nothing is compiled.
# finding: error
# never-says: without `torch.compile`
# says (2.13+): convert one of them|must agree with the other branch
# not: low-precision
# fails: (?i)dtype|Cond
# versions: 2.13+
import torch
from result import result


def full(x):
    return x.float().exp()


def cheap(x):
    return x * 2


@torch.compile(backend="eager")
def price(x):
    return torch.cond(x.float().sum() > 3, full, cheap, (x,))  # HERE


result(price(torch.ones(4, dtype=torch.bfloat16)))
