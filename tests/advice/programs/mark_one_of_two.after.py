import torch
from result import result


def score(x, mask):
    return (x * mask).sum(1)


torch.manual_seed(0)
scored = torch.compile(score, backend="eager")
for n in (4, 5, 6):
    x, mask = torch.randn(n, 3), torch.ones(n, 3)
    torch._dynamo.mark_dynamic(x, 0)
    torch._dynamo.mark_dynamic(mask, 0)
    result(scored(x, mask))
