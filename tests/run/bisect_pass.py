"""Numbers are wrong through one pass of its own, which exchanges the factors of a product. Ends with status 1 then.

Matrix products are calls of a library: no kernel has to be built, so that it takes seconds.
"""

import sys

import torch
import torch._inductor.config

mm = torch.ops.aten.mm.default


def exchange_factors(graph):
    for node in graph.find_nodes(op="call_function", target=mm):
        node.args = (node.args[1], node.args[0])


torch._inductor.config.post_grad_custom_post_pass = exchange_factors


def f(a, b):
    return torch.mm(a, b)


a, b = torch.arange(16.0).reshape(4, 4), torch.eye(4) + torch.ones(4, 4).tril()
got, want = torch.compile(f)(a, b), f(a, b)
print(f"sum {got[0].sum().item():.4f}")
sys.exit(not torch.allclose(got, want))
