# An actor-critic update from a replay buffer. Some of the transitions come from a simulator in NumPy, which counts in doubles.
# True cause: `reward` of the batch is float64 in some calls and float32 in others.
# Fix: one dtype where the batch is made.
# versions: 2.13+
# long
# finding: recompile-dtype
# says: reward
from typing import NamedTuple

import numpy as np
import torch
from result import result
from torch import nn


class Transition(NamedTuple):
    state: torch.Tensor
    action: torch.Tensor
    reward: torch.Tensor
    following: torch.Tensor


class Buffer:
    def __init__(self):
        self.random, self.torch = np.random.RandomState(0), torch.Generator().manual_seed(0)

    def sample(self, step):
        states = torch.randn(2, 16, 4, generator=self.torch)
        action = torch.randint(3, (16,), generator=self.torch)
        if step % 2:
            reward = torch.from_numpy(self.random.rand(16))
        else:
            reward = torch.rand(16, generator=self.torch)
        return Transition(states[0], action, reward, states[1])


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 3))

    def forward(self, state):
        return self.net(state)


@torch.compile(backend="eager")
def td_loss(critic, target, batch, gamma):
    with torch.no_grad():
        best = target(batch.following).max(1).values
        aim = batch.reward + gamma * best
    chosen = critic(batch.state).gather(1, batch.action[:, None])[:, 0]
    return ((chosen - aim) ** 2).mean()


torch.manual_seed(0)
critic, target, buffer = Critic(), Critic(), Buffer()
optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
for step in range(6):
    batch = buffer.sample(step)
    loss = td_loss(critic, target, batch, 0.99)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    result(loss.float())
