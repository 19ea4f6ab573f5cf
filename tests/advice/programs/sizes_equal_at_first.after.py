import torch
import torch.fx.experimental._config
from result import result

torch.fx.experimental._config.use_duck_shape = False


class Both(torch.nn.Module):
    def forward(self, x, y):
        return x.sum() + y.sum()


compiled = torch.compile(Both(), backend="eager", dynamic=True)
for n, m in ((4, 4), (5, 6), (6, 5)):
    result(compiled(torch.ones(n), torch.ones(m)))
