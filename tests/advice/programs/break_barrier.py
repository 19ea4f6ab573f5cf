# Ranks wait for each other in the middle of a function.
# finding: break-distributed
# severity: medium
# says: barrier
# versions: 2.6+
import tempfile

import torch
import torch.distributed as dist
from result import result

dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)


def f(x):
    y = x.sin()
    dist.barrier()  # HERE
    return y.cos()


result(torch.compile(f, backend="eager")(torch.ones(3)))
dist.destroy_process_group()
