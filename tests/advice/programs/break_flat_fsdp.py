# FSDP without the original parameters is not compiled.
# finding: break-distributed
# severity: medium
# also: skipped-frame
# versions: 2.13+
import tempfile

import torch
import torch.distributed as dist
from result import result
from torch.distributed.fsdp import FullyShardedDataParallel

dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)


torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU(), torch.nn.Linear(4, 4))
model = FullyShardedDataParallel(model, device_id=torch.device("cpu"))
result(torch.compile(model, backend="aot_eager")(torch.ones(2, 4)))  # HERE
dist.destroy_process_group()
