"""A pass of the program's own, which Inductor applies to the graph, makes another function of it.

Truth: cos becomes sin, so the sum is 1.1075 with Inductor and 2.9565 without: the pass is post_grad_custom_post_pass. The tensor
in result.pt differs in all of its 8 elements, by 2.6509 at most.
"""

import torch
import torch._inductor.config


def wrong(graph):
    for node in graph.nodes:
        if node.target is torch.ops.aten.cos.default:
            node.target = torch.ops.aten.sin.default


torch._inductor.config.post_grad_custom_post_pass = wrong


@torch.compile
def f(x):
    return torch.cos(x) * 2


y = f(torch.arange(8.0))
torch.save({"y": y}, "result.pt")
print(f"sum {y.sum().item():.4f}")
