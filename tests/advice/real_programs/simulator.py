# A policy is rolled out with a simulator in NumPy inside of the compiled function.
# versions: 2.13+
# long
# finding: break-numpy|break-c-function|break-random|break-library
# also: break-item break-numpy break-random
import numpy as np
import torch
from result import result
from torch import nn

policy = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 2))
generator = np.random.default_rng(0)


def simulate(action):
    return action * 0.5 + generator.normal(size=2)  # HERE


@torch.compile(backend="eager")
def step(state):
    action = policy(state)
    moved = simulate(action.detach().numpy())
    return torch.cat([torch.as_tensor(moved, dtype=torch.float32), state[2:]])


torch.manual_seed(0)
for p in policy.parameters():
    nn.init.constant_(p, 0.1)
state = torch.zeros(3)
for _ in range(2):
    state = step(state)
result(state)
