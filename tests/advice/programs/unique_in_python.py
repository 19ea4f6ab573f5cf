# The values of a result whose size depends on data go on in Python: capturing the operator would fail at them.
# finding: break-data-shape
# also: break-item
# says (2.6+): Python itself uses it where it is made
# never-says (2.6+): capture_dynamic_output_shape_ops
import torch
from result import result

seen = set()


def f(x, codes):
    index = torch.cdist(x, codes).argmin(-1)
    seen.update(torch.unique(index).tolist())  # HERE
    return codes[index].sin()


torch.manual_seed(0)
compiled = torch.compile(f, backend="eager")
codes = torch.randn(8, 4)
result(compiled(torch.randn(16, 4), codes), sorted(seen))
