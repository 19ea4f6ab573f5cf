"""Four ranks that do the same, each with a cache of its own: collectives, a backward pass, a break and a recompile."""

import os
import tempfile

os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
import torch.distributed._functional_collectives as fc  # noqa: E402

RUN = {"ranks": 4}


@torch.compile
def shard_and_back(x, world):
    x = fc.all_reduce(x, "sum", dist.group.WORLD)
    y = fc.reduce_scatter_tensor(x.repeat(world, 1), "sum", 0, dist.group.WORLD)
    return fc.all_gather_tensor(y, 0, dist.group.WORLD).relu().sum(0)


@torch.compile
def loss(w, x):
    return (w @ x).sin().sum()


@torch.compile(backend="eager")
def talks(x):
    y = x * 2
    print("talking")
    return y + 1


dist.init_process_group("gloo")
shard_and_back(torch.ones(2, 8), dist.get_world_size())
for size in (3, 5):
    w = torch.ones(size, size, requires_grad=True)
    loss(w, torch.ones(size, size)).backward()
talks(torch.ones(3))
dist.barrier()
dist.destroy_process_group()
