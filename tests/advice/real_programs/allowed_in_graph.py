# A function with a branch on data is put into the graph as it is, with allow_in_graph.
# True cause: the branch in it. The line that calls it only follows from that.
# versions: 2.13+
# long
# finding: break-branch
import torch
from result import result


@torch.compiler.allow_in_graph
def safe_log(x):
    if x.min() <= 0:  # HERE
        x = x - x.min() + 1e-3
    return x.log()


@torch.compile(backend="aot_eager")
def loss(x):
    return safe_log(x * 2).mean()


for value in (1.0, 2.0):
    result(loss(torch.full((4,), value)))
