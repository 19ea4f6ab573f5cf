"""A value is read from the GPU while a CUDA graph is captured."""
# fails: capturing
# fix out: move that out of the graph
# fix plain: without CUDA graphs
import torch
from variant import FIX, result


@torch.compile
def scale(x, n):
    return x * n


x, n = torch.ones(32, 32, device="cuda"), torch.tensor(3.0, device="cuda")
scale(x, n.item())
if FIX == "plain":
    y = scale(x, n.item())
else:
    number = n.item() if FIX == "out" else None
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = scale(x, n.item() if number is None else number)
    graph.replay()
torch.cuda.synchronize()
result(y.sum())
