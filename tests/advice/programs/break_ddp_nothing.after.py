import tempfile

import torch
import torch.distributed as dist
from result import result

dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)


torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
compiled = torch.nn.parallel.DistributedDataParallel(torch.compile(net, backend="aot_eager"))
for _ in range(2):
    compiled(torch.ones(2, 4)).sum().backward()
result(net[0].weight.grad)
dist.destroy_process_group()
