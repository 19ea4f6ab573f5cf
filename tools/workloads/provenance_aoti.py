"""AOTInductor's C++ code, with Inductor's provenance records: which graph node each kernel came from."""

import torch
from torch import nn

RUN = {"env": {"INDUCTOR_PROVENANCE": "1"}}


class Rows(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 5)

    def forward(self, x):
        y = self.fc(x).relu()
        return y / y.sum(dim=1, keepdim=True)


program = torch.export.export(Rows(), (torch.ones(3, 4),))
torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
