"""Graph breaks in inlined helpers of another file, in modules, and one place that several compiles meet."""

import torch
from shop import prices

import truth

RUN = {}

backend = truth.counted("eager")


@torch.compile(backend=backend)
def breaks_in_helper(x):
    return prices.rounded(prices.discounted(x + 1, 3.0) * 2)


@torch.compile(backend=backend)
def breaks_two_calls_down(x):
    return prices.taxed(x) + 1


@torch.compile(backend=backend)
def met_by_two_compiles(x):
    y = x + 1
    torch._dynamo.graph_break()
    return y.relu()


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x):
        y = self.linear(x)
        print("shape", y.shape)
        return torch.relu(y)


model = torch.compile(torch.nn.Sequential(Layer(), torch.nn.Tanh()), backend=backend)

x = torch.arange(4.0)
breaks_in_helper(x)
breaks_two_calls_down(x)
met_by_two_compiles(x)
met_by_two_compiles(torch.arange(6))
model(x)
