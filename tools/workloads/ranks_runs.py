"""Two ranks that compile the same graphs and run them in another order: their collectives do not match."""

import os
import tempfile

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
os.environ["LOG_TLPARSE"] = "1"

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
import torch.distributed._functional_collectives as fc  # noqa: E402
from torch._inductor.debug import record_and_log_graph_execution_order  # noqa: E402
from torch.testing._internal.distributed.fake_pg import FakeStore  # noqa: E402

RUN = {"ranks": 2}


@torch.compile
def total(x):
    return fc.all_reduce(x * 2, "sum", dist.group.WORLD) + 1


@torch.compile
def largest(x):
    y = x.relu()
    z = fc.all_reduce(y, "max", dist.group.WORLD)
    return z + y


rank = int(os.environ["RANK"])
dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=int(os.environ["WORLD_SIZE"]))
x = torch.ones(4)
with record_and_log_graph_execution_order():
    total(x)
    largest(x)
    for function in (largest, total) if rank else (total, largest):
        function(x)
dist.destroy_process_group()
