# An object of TorchScript is an argument, but of no quantized layer.
# not: break-unsupported-module
# never-says: torchao
import torch
from result import result

gain = torch.jit.script(torch.nn.Linear(4, 4))


def f(x):
    return gain(x.sin()).cos()


torch.manual_seed(0)
with torch.no_grad():
    torch.nn.init.ones_(gain.weight)
    torch.nn.init.ones_(gain.bias)
    result(torch.compile(f, backend="eager")(torch.ones(3, 4)))
