# What a sparse tensor stores is passed without a copy: Dynamo fails on such a view.
# finding: error
# fails: tuple index out of range
# says: values\(\)
# versions: 2.13+
import torch
from result import result

matrix = torch.sparse_coo_tensor(torch.tensor([[0, 1], [1, 2]]), torch.ones(2), (3, 3)).coalesce()


@torch.compile(backend="eager")
def weigh(value, x):
    return value.sin() * x  # HERE


result(weigh(matrix.values(), torch.ones(2)))
