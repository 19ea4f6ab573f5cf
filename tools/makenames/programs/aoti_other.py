"""Another model through AOTInductor than tools/workloads/aoti.py has: more inputs, a size that is not fixed."""

import torch

RUN = {}


class Mix(torch.nn.Module):
    def forward(self, x, other):
        return {"sum": x + other["y"], "size": x.shape[0]}


inputs = (torch.ones(4, 3), {"y": torch.ones(4, 3)})
batch = torch.export.Dim("batch", min=2, max=64)
program = torch.export.export(Mix(), inputs, dynamic_shapes=({0: batch}, {"y": {0: batch}}))
torch._inductor.aoti_compile_and_package(program)
