"""Four ranks with caches of their own, but for rank 3: it finds in the cache of rank 0 what that one compiled."""

import os
import tempfile

rank = int(os.environ["RANK"])
shared = os.path.join(os.environ["TMPDIR"], "shared")
os.environ["TORCHINDUCTOR_CACHE_DIR"] = shared if rank in (0, 3) else tempfile.mkdtemp()

import torch  # noqa: E402
import torch.distributed as dist  # noqa: E402

RUN = {"ranks": 4}


@torch.compile
def work(x):
    return (x.sin() * 2).sum()


dist.init_process_group("gloo")
if rank == 3:
    dist.barrier()
work(torch.ones(4, 4))
if rank != 3:
    dist.barrier()
dist.barrier()
dist.destroy_process_group()
