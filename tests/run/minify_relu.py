"""One operator among several is compiled wrongly: PyTorch's own switch for tests of its minifier. The argument says how:
compile_error, runtime_error, accuracy."""

import sys

import torch
import torch._inductor.config

torch._inductor.config.cpp.inject_relu_bug_TESTING_ONLY = sys.argv[1]


def f(x):
    y = torch.sin(x) + 1
    z = torch.relu(y) * 2
    return torch.cos(z) - x


x = torch.linspace(-2, 2, 16)
got = torch.compile(f)(x).sum().item()
print(f"sum {got:.4f}")
if abs(got - f(x).sum().item()) > 1e-3:
    sys.exit("the sum is wrong")
