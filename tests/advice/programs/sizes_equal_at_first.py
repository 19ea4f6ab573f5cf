# Two sizes are equal in the first calls by accident; dynamic=True takes them for one.
# finding: recompile-shape-relation
import torch
from result import result


class Both(torch.nn.Module):
    def forward(self, x, y):
        return x.sum() + y.sum()


compiled = torch.compile(Both(), backend="eager", dynamic=True)
for n, m in ((4, 4), (5, 6), (6, 5)):
    result(compiled(torch.ones(n), torch.ones(m)))
