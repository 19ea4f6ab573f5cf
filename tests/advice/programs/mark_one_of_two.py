# One of two inputs that share a size is marked: adding them makes the size what the other one has.
# finding: error
# fails: ConstraintViolationError
# says: Dimension 0 of `x` is marked[\s\S]*is not marked: `mask`
import torch
from result import result


def score(x, mask):
    return (x * mask).sum(1)


torch.manual_seed(0)
scored = torch.compile(score, backend="eager")
for n in (4, 5, 6):
    x, mask = torch.randn(n, 3), torch.ones(n, 3)
    torch._dynamo.mark_dynamic(x, 0)
    result(scored(x, mask))
