# Dynamo itself fails in a library that a line calls. That call alone is kept out of the compiler.
# versions: 2.13+
# finding: error
# says: move it into a function of your own
# fails: PackageNotFoundError
import torch
from result import result
from shop import has_package


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.sin()
        scale = 2 if has_package("no-such-package") else 1  # HERE
        return y * scale


result(torch.compile(Model(), backend="eager")(torch.ones(4)))
