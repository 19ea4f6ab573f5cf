import torch
from result import result
from shop import has_package


@torch.compiler.disable
def is_installed(name):
    return has_package(name)


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.sin()
        scale = 2 if is_installed("no-such-package") else 1
        return y * scale


result(torch.compile(Model(), backend="eager")(torch.ones(4)))
