"""torch.export with TORCH_DTRACE, strict and not: records that only a debug trace has; the strict one takes a compile id."""

import torch
from torch import nn

RUN = {"env": {"TORCH_TRACE": None, "TORCH_DTRACE": "{trace}"}}


class Picker(nn.Module):
    def forward(self, x):
        n = x.shape[0]
        if n > 3:
            return x.sum(0) * n
        return x.sum(0)


batch = torch.export.Dim("batch", min=4, max=32)
torch.export.export(Picker(), (torch.ones(5, 2),), dynamic_shapes={"x": {0: batch}})
torch.export.export(Picker(), (torch.ones(5, 2),), strict=True)
