# A rollout: the policy samples an action and hands it to an environment as a Python integer, all in one compiled function.
# True cause: .item() in the middle of the compiled function.
# versions: 2.13+
# finding: break-item
import torch
from result import result
from torch import nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.actor, self.critic = nn.Linear(4, 32), nn.Linear(32, 3), nn.Linear(32, 1)

    def forward(self, state):
        h = self.body(state).tanh()
        return self.actor(h), self.critic(h)


class Environment:
    moves = torch.tensor([[0.1, 0, 0, 0], [0, -0.1, 0, 0], [0, 0, 0.2, -0.1]])

    def step(self, state, action):
        state = (state + self.moves[action]).clamp(-1, 1)
        return state, -state.abs().sum()


@torch.compile(backend="eager")
def act(policy, environment, state):
    logits, value = policy(state)
    action = logits.argmax().item()  # HERE
    state, reward = environment.step(state, action)
    return state, reward, value


torch.manual_seed(0)
policy, environment, state, total = Policy().eval(), Environment(), torch.randn(4), 0.0
with torch.no_grad():
    for _ in range(6):
        state, reward, value = act(policy, environment, state)
        total = total + reward
result(state, total)
