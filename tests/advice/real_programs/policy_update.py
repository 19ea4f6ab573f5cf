# A policy acts under no_grad and is updated with gradients; the clip range is annealed.
# True causes: the gradient mode differs; the float `clip` becomes a constant each time.
# versions: 2.13+
# long
# finding: recompile-global-state|recompile-float
# also: recompile-global-state recompile-float recompile-small-size
import torch
from result import result
from torch import nn


class Policy(nn.Module):
    def __init__(self, obs=6, actions=3):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.pi, self.v = nn.Linear(32, actions), nn.Linear(32, 1)

    def forward(self, obs):
        h = self.body(obs)
        return self.pi(h), self.v(h).squeeze(-1)


def ppo_loss(logits, values, actions, old_logp, advantages, returns, clip):
    logp = torch.log_softmax(logits, -1).gather(1, actions[:, None]).squeeze(1)
    ratio = (logp - old_logp).exp()
    surrogate = torch.min(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages)
    return -surrogate.mean() + 0.5 * (values - returns).pow(2).mean()


torch.manual_seed(0)
policy = Policy()
act = torch.compile(policy, backend="aot_eager")
loss_of = torch.compile(ppo_loss, backend="aot_eager")
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
for update in range(3):
    clip = 0.2 * (1 - update / 10)
    obs, actions, logps, rewards = [], [], [], []
    o = torch.randn(1, 6)
    for t in range(16):
        with torch.no_grad():
            logits, value = act(o)
        a = torch.distributions.Categorical(logits=logits).sample()
        obs.append(o); actions.append(a); logps.append(torch.log_softmax(logits, -1)[0, a])
        rewards.append(o.sum().tanh().item())
        o = 0.9 * o + 0.1 * torch.randn(1, 6)
    obs, actions, logps = torch.cat(obs), torch.cat(actions), torch.cat(logps)
    returns = torch.tensor(rewards)
    for i in range(0, 16, 8):
        b = slice(i, i + 8)
        logits, values = act(obs[b])
        loss = loss_of(logits, values, actions[b], logps[b], returns[b] - values.detach(), returns[b], clip)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    result(loss)
