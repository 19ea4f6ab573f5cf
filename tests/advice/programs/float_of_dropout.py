# A float is given to code that needs it as a constant.
# finding: recompile-specialized
# versions: 2.6+
# not: specialization recompile-float
import torch
from result import result


def f(x, p):
    return torch.nn.functional.dropout(x, p, training=False)  # HERE


compiled = torch.compile(f, backend="eager")
for p in (0.1, 0.2, 0.3):
    result(compiled(torch.ones(3), p))
