"""A bug of PyTorch 2.13 (pytorch/pytorch#190171): the signature of a bound method that was wrapped is asked for while it is traced.

Truth: an InternalTorchDynamoError: Dynamo looks for a __dict__ that a method does not have.
"""

import inspect

import torch


def takes(function, name):
    return name in inspect.getfullargspec(getattr(function, "__wrapped__", function)).args


class Layer(torch.nn.Module):
    def scaled(self, x):
        takes(self.scaled, "x")
        return x * 3

    def forward(self, x):
        return self.scaled(x)


layer = Layer()
fast = torch.compile(layer)
layer.scaled = getattr(fast, "dynamo_ctx", lambda method: method)(layer.scaled)
print("sum", fast(torch.ones(2)).sum().item())
