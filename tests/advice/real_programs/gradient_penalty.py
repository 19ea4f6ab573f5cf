# The critic's loss of a Wasserstein GAN with a gradient penalty, compiled as a whole.
# True causes: torch.autograd.grad within the compiled function, and requires_grad_ of a tensor that is made there.
# versions: 2.13+
# long
# finding: break-backward|break-inplace
# also: break-backward break-inplace
import torch
from result import result
from torch import nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, x):
        return self.net(x)


@torch.compile(backend="eager")
def critic_loss(critic, real, fake, mix):
    loss = critic(fake).mean() - critic(real).mean()
    between = (mix * real + (1 - mix) * fake).requires_grad_(True)
    score = critic(between)
    slope = torch.autograd.grad(score.sum(), between, create_graph=True)[0]
    return loss + 10 * (slope.norm(dim=1) - 1).pow(2).mean()


torch.manual_seed(0)
critic = Critic()
optimizer = torch.optim.SGD(critic.parameters(), lr=0.01)
for _ in range(3):
    loss = critic_loss(critic, torch.randn(8, 4), torch.randn(8, 4), torch.rand(8, 1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    result(loss)
