# A nested tensor of the strided layout.
# finding: break-tensor-kind
# severity: critical
# also: skipped-frame
import torch
from result import result


@torch.compile(backend="eager")
def f(x):
    return x.sin() * 2  # HERE


parts = f(torch.nested.nested_tensor([torch.ones(2, 3), torch.zeros(3, 3)])).unbind()
result(*parts)
