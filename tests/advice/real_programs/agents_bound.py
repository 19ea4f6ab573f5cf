# Each of twelve agents compiles its own method; they differ in an int attribute of the instance.
# True cause: one code object is compiled for many instances, of which `self.rank` and the size of the weights differ.
# finding: recompile-int
# versions: 2.13+
import torch
from result import result


class Agent:
    def __init__(self, rank):
        self.rank = rank
        self.weights = torch.ones(rank + 2, 3)
        self.act = torch.compile(self._act, backend="eager")

    def _act(self, x):
        return x @ self.weights.T[:, : self.rank + 1]


torch.manual_seed(0)
for agent in [Agent(rank) for rank in range(12)]:
    result(agent.act(torch.ones(2, 3)))
