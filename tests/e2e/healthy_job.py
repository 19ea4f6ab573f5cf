#!/usr/bin/env python3
"""One rank of a healthy job: a program in which all ranks do the same.

usage: torchrun --nproc-per-node N healthy_job.py NAME
"""

import datetime
import os
import sys
import tempfile

# Each rank fills a cache of its own, which HEALTHY_CACHES keeps for another launch, or the one that TORCHINDUCTOR_CACHE_DIR names.
if "HEALTHY_CACHES" in os.environ:
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.join(os.environ["HEALTHY_CACHES"], os.environ["RANK"])
os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", tempfile.mkdtemp())

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402
import torch.distributed._functional_collectives as fc  # noqa: E402
from torch import nn  # noqa: E402
from torch.distributed.device_mesh import init_device_mesh  # noqa: E402


def mlp(width=32):
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))


class Layers(nn.Module):
    """Not nn.Sequential: Dynamo does not compile the forward of PyTorch's own modules when an eager frame calls it."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(300, 300) for _ in range(3))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x).relu()
        return x


def train(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for batch in batches:
        model(batch).sum().backward()
        optimizer.step()
        optimizer.zero_grad()


def ddp(rank, _):
    """Inductor, one cache for all ranks."""
    train(torch.compile(nn.parallel.DistributedDataParallel(mlp())), [torch.randn(4, 32) + rank for _ in range(2)])


def ddp_buckets(_rank, _size):
    """DDPOptimizer splits the graph; the last batch is smaller on all ranks."""
    model = nn.parallel.DistributedDataParallel(Layers(), bucket_cap_mb=1)
    train(torch.compile(model, backend="aot_eager"), [torch.randn(n, 300) for n in (4, 4, 3)])


def fsdp2(_, size):
    from torch.distributed.fsdp import fully_shard

    model = mlp()
    mesh = init_device_mesh("cpu", (size,))
    for layer in model:
        if isinstance(layer, nn.Linear):
            fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    train(torch.compile(model, backend="aot_eager"), [torch.randn(4, 32) for _ in range(2)])


def fsdp1(_rank, _size):
    from torch.distributed.fsdp import FullyShardedDataParallel

    model = FullyShardedDataParallel(mlp(), use_orig_params=True, device_id=torch.device("cpu"))
    train(torch.compile(model, backend="aot_eager"), [torch.randn(4, 32) for _ in range(2)])


def pipeline(rank, size):
    """Three equal stages; what passes between them does so outside of compiled code."""
    torch.manual_seed(rank)
    stage = torch.compile(nn.Sequential(nn.Linear(16, 16), nn.ReLU()), backend="aot_eager")
    for _ in range(3):
        x = torch.randn(4, 16)
        if rank > 0:
            dist.recv(x, rank - 1)
        y = stage(x)
        if rank < size - 1:
            dist.send(y.detach(), rank + 1)


def pipeline_widths(rank, size):
    """Three stages, each of widths of its own."""
    widths = [16, 48, 8, 24]
    torch.manual_seed(rank)
    stage = torch.compile(nn.Sequential(nn.Linear(widths[rank], widths[rank + 1]), nn.ReLU()), backend="aot_eager")
    for _ in range(3):
        x = torch.randn(4, widths[rank])
        if rank > 0:
            dist.recv(x, rank - 1)
        y = stage(x)
        if rank < size - 1:
            dist.send(y.detach(), rank + 1)


def tensor_parallel(_, size):
    from torch.distributed.tensor.parallel import ColwiseParallel, RowwiseParallel, parallelize_module

    model = mlp()
    parallelize_module(model, init_device_mesh("cpu", (size,)), {"0": ColwiseParallel(), "2": RowwiseParallel()})
    train(torch.compile(model, backend="aot_eager"), [torch.randn(4, 32) for _ in range(2)])


def two_dimensions(_, size):
    """Groups of two ranks, each in a mesh of two dimensions: all ranks reduce, each in groups of its own."""
    mesh = init_device_mesh("cpu", (2, size // 2), mesh_dim_names=("data", "model"))

    @torch.compile(backend="aot_eager")
    def step(x):
        return fc.all_reduce(fc.all_gather_tensor(x, 0, mesh["model"]), "sum", mesh["data"])

    for _ in range(2):
        step(torch.ones(4))


def guards_on_rank(rank, size):
    """The rank's number, a dictionary of its own order, and an object of the rank are guarded."""
    keys = [f"k{(rank + i) % size}" for i in range(size)]

    @torch.compile(backend="aot_eager")
    def step(x, options):
        if rank >= 0 and len(options) == size:
            x = x.sin()
        return fc.all_reduce(x * len(options), "sum", dist.group.WORLD)

    for _ in range(2):
        step(torch.ones(8), dict.fromkeys(keys, 1))


def shared_cache(_rank, _size):
    """The fastest rank fills the cache of all. A break and a recompile, with collectives around them."""

    @torch.compile
    def step(x):
        x = fc.all_reduce(x, "sum", dist.group.WORLD)
        print("between")
        return fc.all_gather_tensor(x.cos(), 0, dist.group.WORLD).sum(0)

    for n in (3, 5):
        step(torch.ones(n, 4))


def warm_caches(_rank, _size):
    """Some ranks find in their caches what the others compile."""

    @torch.compile
    def step(x):
        return fc.all_reduce(x.sin() + 1, "sum", dist.group.WORLD).cos()

    for n in (3, 5):
        step(torch.ones(n, 4))


def sizes_of_ranks(rank, _):
    """Every rank has sizes of its own, and says that they vary."""

    @torch.compile(backend="aot_eager")
    def step(x):
        return fc.all_reduce(x.sin().sum(), "sum", dist.group.WORLD)

    for n in range(2):
        x = torch.ones(5 + 3 * rank + n, 4)
        torch._dynamo.mark_dynamic(x, 0)
        step(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.drop, self.last = nn.Linear(32, 32), nn.Dropout(0.1), nn.Linear(32, 8)

    def forward(self, x):
        return self.last(self.drop(self.first(x).relu()))


def seeds(rank, _):
    """Random numbers of its own on each rank, for dropout and for the batches; rank 0 prints."""
    model = torch.compile(nn.parallel.DistributedDataParallel(Net()), backend="aot_eager")
    torch.manual_seed(100 + rank)
    train(model, [torch.randn(4, 32) for _ in range(3)])
    if rank == 0:
        print("trained")


def validates(rank, _):
    """Rank 0 alone compiles what validates."""
    net = Net()
    model = torch.compile(nn.parallel.DistributedDataParallel(net), backend="aot_eager")
    train(model, [torch.randn(4, 32) for _ in range(2)])
    if rank == 0:
        with torch.no_grad():
            torch.compile(lambda x: net(x).argmax(-1), backend="aot_eager")(torch.randn(16, 32))
    dist.barrier()
    train(model, [torch.randn(4, 32)])


def last_batch(rank, size):
    """The last batch of one rank is smaller."""
    model = torch.compile(nn.parallel.DistributedDataParallel(Net()), backend="aot_eager")
    train(model, [torch.randn(4, 32), torch.randn(4 - (rank == size - 1), 32)])


def main():
    # On a machine that is busy a rank may come minutes after the first.
    dist.init_process_group("gloo", timeout=datetime.timedelta(minutes=10))
    globals()[sys.argv[1]](dist.get_rank(), dist.get_world_size())
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
