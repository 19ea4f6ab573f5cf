"""AOTInductor: its records carry no compile id at all."""

import torch
from torch import nn

RUN = {}

program = torch.export.export(nn.Sequential(nn.Linear(4, 3), nn.ReLU()), (torch.ones(2, 4),))
torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
