# Gradients per sample with vmap and grad, clipped as for differential privacy. The last batch is smaller.
# True cause: the size of the batch, 16 and 10 at the end, of which cross_entropy under vmap makes a constant, marked or not.
# versions: 2.13+
# long
# finding: recompile-specialized
# says: `x` and `y`
import torch
from result import result
from torch import nn
from torch.func import functional_call, grad, vmap


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(6, 12), nn.Linear(12, 3)

    def forward(self, x):
        return self.b(self.a(x).tanh())


net = Net()


def loss_of_one(params, x, y):
    return nn.functional.cross_entropy(functional_call(net, params, (x[None],)), y[None])  # HERE


@torch.compile(backend="eager")
def private_gradients(params, x, y):
    each = vmap(grad(loss_of_one), (None, 0, 0))(params, x, y)
    norms = sum(g.flatten(1).pow(2).sum(1) for g in each.values()).sqrt()
    factor = (1.0 / (norms + 1e-6)).clamp(max=1.0)
    return {name: (g * factor.view(-1, *[1] * (g.dim() - 1))).mean(0) for name, g in each.items()}


torch.manual_seed(0)
params = {name: torch.randn_like(p) for name, p in net.named_parameters()}
for epoch in range(2):
    for size in (16, 16, 10):
        grads = private_gradients(params, torch.randn(size, 6), torch.randint(3, (size,)))
        params = {name: p - 0.1 * grads[name] for name, p in params.items()}
    result(params)
