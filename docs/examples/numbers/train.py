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
print(f"sum {y.sum().item():.4f}")
