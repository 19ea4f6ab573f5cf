# A sparse matrix is an argument of the compiled function.
# finding: break-tensor-kind
# also: skipped-frame
# says: none may enter
# versions: 2.6+
import torch
from result import result

edges = torch.tensor([[0, 1, 1, 3], [1, 0, 2, 2]])
adjacency = torch.sparse_coo_tensor(edges, torch.ones(4), (4, 4)).coalesce()


@torch.compile(backend="eager")
def spread(x):
    return torch.sparse.mm(adjacency, x.sin()) * 2  # HERE


result(spread(torch.ones(4, 2)))
