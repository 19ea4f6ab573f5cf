# An evaluation goes through a stream of batches within the compiled function; streams differ in length.
# True cause: a generator of Python is passed in: how many batches it has is compiled in, or it stops the graph.
# versions: 2.13+
# long
# finding: break-generator
import torch
from result import result
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 2)


def batches(n):
    for i in range(n):
        yield torch.full((2, 3), float(i))


@torch.compile(backend="eager")
def evaluate(stream):
    total = torch.zeros(2)
    for x in stream:  # HERE
        total = total + model(x).sum(0)
    return total


with torch.no_grad():
    for n in (2, 3, 4):
        result(evaluate(batches(n)))
