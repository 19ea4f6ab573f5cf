import torch
from result import result

matrix = torch.sparse_coo_tensor(torch.tensor([[0, 1], [1, 2]]), torch.ones(2), (3, 3)).coalesce()


@torch.compile(backend="eager")
def weigh(value, x):
    return value.sin() * x


result(weigh(matrix.values().clone(), torch.ones(2)))
