# A bound method is compiled by the line that calls it, which is the place: not the method, not torch.compile.
# finding: recompile-float
# says: `Trainer\.step` recompiled once
# versions: 2.7+
import torch
from result import result


class Trainer:
    def __init__(self):
        self.weight = torch.ones(3, 3)

    def step(self, x, k):
        return (x @ self.weight * k).sum()


def main():
    trainer = Trainer()
    step = torch.compile(trainer.step, backend="eager")
    for k in range(4):
        result(step(torch.ones(2, 3), k * 1.5))  # HERE


main()
