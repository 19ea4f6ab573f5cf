# The caches of compiled graphs are switched off.
# inductor
# finding: cache-off
# tolerance: 1e-6
import torch
import torch._functorch.config
import torch._inductor.config
from result import result

torch._inductor.config.fx_graph_cache = False
torch._functorch.config.enable_autograd_cache = False


@torch.compile  # START
def f(x):
    return x.sin() * 2


result(f(torch.ones(64)))
