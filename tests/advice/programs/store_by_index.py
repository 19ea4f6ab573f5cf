# A tensor is written at an index that is a tensor: each value of the index is one compile.
# finding: recompile-specialized
# says: index_copy_
# versions: 2.13+
import torch
from result import result


@torch.compile(backend="eager")
def sold(stock, i, count):
    stock = stock.clone()
    stock[i] = count  # HERE
    return stock


torch._dynamo.config.capture_scalar_outputs = True
for i in range(3):
    result(sold(torch.zeros(4, 2), torch.tensor(i), torch.ones(2)))
