# The size is declared as a multiple of what the code needs; another is left to export, which may find the multiple itself.
# clean
# not: export-guard
# versions: 2.7+
import torch
from result import result
from torch.export import Dim, export


class Till(torch.nn.Module):
    def forward(self, x, y):
        rows, n = x.shape
        return x.view(rows, n // 8, 8).sum(1), y.view(y.shape[0] // 4, 4)


inputs = (torch.ones(2, 32), torch.ones(12))
sizes = {"x": {0: Dim("rows", min=2, max=16), 1: 16 * Dim("n", max=32)}, "y": {0: Dim.AUTO}}
result(export(Till(), inputs, dynamic_shapes=sizes).module()(*inputs))
