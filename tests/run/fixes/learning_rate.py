# The learning rate of each step is a number of Python that changes.
# finding: recompiles
import torch
from result import result


def step(weight, gradient, rate):
    return weight - rate * gradient


torch.manual_seed(2)
fast = torch.compile(step, backend="eager")
weight, gradient = torch.randn(6), torch.randn(6)
for n in range(5):
    weight = fast(weight, gradient, 0.1 / (1 + n))
    result(weight)
