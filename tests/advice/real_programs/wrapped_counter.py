# DistributedDataParallel with one process; the model inside counts its calls in a Python integer.
# versions: 2.13+
# long
# finding: recompile-module-attribute|recompile-limit
# also: break-distributed
import tempfile

import torch
import torch.distributed as dist
from result import result
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.calls = nn.Linear(4, 4), 0

    def forward(self, x):
        self.calls += 1  # HERE
        return self.body(x) / self.calls


torch.manual_seed(0)
model = torch.compile(DistributedDataParallel(Net()), backend="aot_eager")
for _ in range(4):
    out = model(torch.ones(2, 4))
    out.sum().backward()
    result(out.detach())
dist.destroy_process_group()
