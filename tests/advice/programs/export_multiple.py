# The code needs a multiple of 8, and the declared range has other sizes: export fails, which its trace does not record.
# finding: export-guard
# severity: high
# says: dimension 1 of `x` to be a multiple of 8, and may have failed
# versions: 2.7+
import torch
from result import result
from torch.export import Dim, export


class Till(torch.nn.Module):
    def forward(self, x):
        rows, n = x.shape
        return x.view(rows, n // 8, 8).sum(1)  # HERE


inputs = (torch.ones(2, 32),)
sizes = {"x": {0: Dim("rows", min=2, max=16), 1: Dim("n", max=512)}}
try:
    program = export(Till(), inputs, dynamic_shapes=sizes).module()
except torch._dynamo.exc.UserError:  # the program goes on with the model itself
    program = Till()
result(program(*inputs))
