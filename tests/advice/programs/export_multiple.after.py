import torch
from result import result
from torch.export import Dim, export


class Till(torch.nn.Module):
    def forward(self, x):
        rows, n = x.shape
        return x.view(rows, n // 8, 8).sum(1)


inputs = (torch.ones(2, 32),)
sizes = {"x": {0: Dim("rows", min=2, max=16), 1: 8 * Dim("n", max=64)}}
try:
    program = export(Till(), inputs, dynamic_shapes=sizes).module()
except torch._dynamo.exc.UserError:  # the program goes on with the model itself
    program = Till()
result(program(*inputs))
