# The environment of the program switches errors off: the backend fails, and nobody sees it.
# environment: TORCHDYNAMO_SUPPRESS_ERRORS=1
# versions: 2.6+
# finding: suppressed-errors
# severity: medium
import torch
from result import result


def f(x):
    return x.sin() * 2


result(torch.compile(f, backend="eager")(torch.ones(4)))
