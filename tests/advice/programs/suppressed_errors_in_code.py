# The program itself suppresses errors.
# versions: 2.6+
# finding: suppressed-errors
import torch
from result import result

torch._dynamo.config.suppress_errors = True


def f(x):
    return x.sin() * 2


result(torch.compile(f, backend="eager")(torch.ones(4)))  # START
