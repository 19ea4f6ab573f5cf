# A print that the program lets Dynamo delay has arguments that cannot be delayed.
# finding: break-print
import torch
from result import result


torch._dynamo.config.reorderable_logging_functions.add(print)  # START


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    print(y.shape)  # HERE
    return y.cos() + 1


result(f(torch.ones(4)))
