# DistributedDataParallel's own code around a model that is compiled: by design.
# clean
# not: break-distributed
# versions: 2.6+
import tempfile

import torch
import torch.distributed as dist
from result import result

dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)


class Till(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())

    def forward(self, x):
        return self.layers(x)


torch.manual_seed(0)
model = torch.nn.parallel.DistributedDataParallel(Till())
compiled = torch.compile(model, backend="aot_eager")
for _ in range(2):
    compiled(torch.ones(2, 4)).sum().backward()
result(model.module.layers[0].weight.grad)
dist.destroy_process_group()
