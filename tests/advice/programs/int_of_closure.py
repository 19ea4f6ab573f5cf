# A function is made again in a loop, and captures another integer each time.
# finding: recompile-int
import torch
from result import result


def train():
    for i in range(4):
        k = i + 2
        f = torch.compile(lambda x: x.sin() * k, backend="eager")
        result(f(torch.ones(3)))  # HERE


train()
