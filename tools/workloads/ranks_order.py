"""Four ranks, of which rank 1 gathers before it reduces: a job that would hang, were its process group not a fake."""

import os
import tempfile

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
import torch.distributed._functional_collectives as fc  # noqa: E402
from torch.testing._internal.distributed.fake_pg import FakeStore  # noqa: E402

RUN = {"ranks": 4}


@torch.compile
def same(x):
    return fc.all_reduce(x * 2, "sum", dist.group.WORLD) + 1


@torch.compile
def mixed(x, gather_first):
    if gather_first:
        gathered = fc.all_gather_tensor(x * 3, 0, dist.group.WORLD)
        reduced = fc.all_reduce(x * 2, "sum", dist.group.WORLD)
    else:
        reduced = fc.all_reduce(x * 2, "sum", dist.group.WORLD)
        gathered = fc.all_gather_tensor(x * 3, 0, dist.group.WORLD)
    return reduced.sum() + gathered.sum()


rank = int(os.environ["RANK"])
dist.init_process_group("fake", store=FakeStore(), rank=rank, world_size=int(os.environ["WORLD_SIZE"]))
same(torch.ones(4))
mixed(torch.ones(4), rank == 1)
dist.destroy_process_group()
