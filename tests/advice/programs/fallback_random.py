# Random numbers are drawn as in eager mode.
# versions: 2.6+
# finding: fallback-random
import torch
import torch._inductor.config
from result import result

torch._inductor.config.fallback_random = True


@torch.compile(backend="aot_eager")  # START
def f(x):
    return torch.nn.functional.dropout(x.sin(), 0.5) * 2


torch.manual_seed(0)
result(f(torch.ones(64)))
