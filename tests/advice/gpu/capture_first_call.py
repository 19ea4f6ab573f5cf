"""A function that compiles while a CUDA graph of the program is captured."""
# fails: capturing|captur
# fix warm: before the capture
# fix plain: without CUDA graphs|no CUDA graph
import torch
from variant import FIX, result


@torch.compile
def scale(x, w):
    return torch.nn.functional.dropout(x @ w, 0.0, training=True) + 1


x, w = torch.ones(32, 32, device="cuda"), torch.ones(32, 32, device="cuda")
if FIX == "plain":
    y = scale(x, w)
else:
    if FIX == "warm":
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            scale(x, w)
        torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = scale(x, w)
    graph.replay()
torch.cuda.synchronize()
result(y.sum())
