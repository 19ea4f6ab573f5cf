# The backward graph takes long to compile, and only the first backward call begins with it.
# finding: late-backward
# versions: 2.6+
# severity: info
import time

import torch
from functorch.compile import make_boxed_func
from result import result
from torch._dynamo.backends.common import aot_autograd


def slowly(graph, inputs):
    time.sleep(3.5)
    return make_boxed_func(graph.forward)


backend = aot_autograd(fw_compiler=lambda graph, inputs: make_boxed_func(graph.forward), bw_compiler=slowly)


@torch.compile(backend=backend)
def f(x):
    return x.sin() * 2


x = torch.ones(4, requires_grad=True)
f(x).sum().backward()
result(x.grad)
