# A GAN: while the generator learns, the parameters of the discriminator require no gradients.
# True cause: requires_grad of the discriminator's parameters changes from phase to phase.
# versions: 2.13+
# finding: recompile-requires-grad
import torch
from result import result
from torch import nn


def mlp(*sizes):
    layers = [layer for a, b in zip(sizes, sizes[1:]) for layer in (nn.Linear(a, b), nn.LeakyReLU(0.2))]
    return nn.Sequential(*layers[:-1])


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(8, 16, 1)

    def forward(self, x):
        return self.net(x)


torch.manual_seed(0)
generator, discriminator = mlp(4, 16, 8), Discriminator()
judge = torch.compile(discriminator, backend="aot_eager")
by_generator = torch.optim.SGD(generator.parameters(), lr=0.05)
by_discriminator = torch.optim.SGD(discriminator.parameters(), lr=0.05)
bce = nn.functional.binary_cross_entropy_with_logits
for _ in range(3):
    discriminator.requires_grad_(True)
    real, fake = torch.randn(16, 8) + 2, generator(torch.randn(16, 4)).detach()
    d_loss = bce(judge(real), torch.ones(16, 1)) + bce(judge(fake), torch.zeros(16, 1))
    by_discriminator.zero_grad()
    d_loss.backward()
    by_discriminator.step()
    discriminator.requires_grad_(False)
    g_loss = bce(judge(generator(torch.randn(16, 4))), torch.ones(16, 1))
    by_generator.zero_grad()
    g_loss.backward()
    by_generator.step()
    result(d_loss, g_loss)
