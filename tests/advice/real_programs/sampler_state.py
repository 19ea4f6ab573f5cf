# A sampler keeps its state in a dataclass with the step and the noise level, which the compiled step advances.
# True cause: `state.step` and `state.sigma`, Python numbers that change in each call.
# finding: recompile-int
# says (2.8+): Numbers that vary as well: `state.sigma`
# versions: 2.8+
from dataclasses import dataclass

import torch
from result import result


@dataclass
class State:
    step: int
    sigma: float


@torch.compile(backend="eager")
def denoise(x, state):
    x = x - state.sigma * x.tanh() + 0.01 * state.step
    state.step += 1
    state.sigma *= 0.7
    return x


torch.manual_seed(0)
x, state = torch.randn(4, 4), State(0, 1.0)
for _ in range(5):
    x = denoise(x, state)
    result(x)
