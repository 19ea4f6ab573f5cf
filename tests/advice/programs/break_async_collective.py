# A collective runs in the background.
# alone
# finding: break-distributed
# also (2.4-2.6): break-c-function
# says: without `async_op=True`
import tempfile

import torch
import torch.distributed as dist
from result import result

dist.init_process_group("gloo", init_method="file://" + tempfile.mktemp(), rank=0, world_size=1)


def f(x):
    y = x.sin()
    work = dist.all_reduce(y, async_op=True)  # HERE
    z = x.cos()
    work.wait()  # HERE (2.7+)
    return y + z


result(torch.compile(f, backend="eager")(torch.ones(3)))
dist.destroy_process_group()
