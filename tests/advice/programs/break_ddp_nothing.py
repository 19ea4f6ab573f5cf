# The model in DistributedDataParallel is of a class of torch.nn, whose forward Dynamo does not compile by itself: there is no graph.
# finding: break-distributed
# severity: high
# says: Nothing is compiled
# never-says: nothing to do|Nothing to change|model inside is compiled
# versions: 2.6+
import tempfile

import torch
import torch.distributed as dist
from result import result

dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)


torch.manual_seed(0)
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU()))
compiled = torch.compile(model, backend="aot_eager")
for _ in range(2):
    compiled(torch.ones(2, 4)).sum().backward()  # HERE
result(model.module[0].weight.grad)
dist.destroy_process_group()
