# The call of torch.compile sets it: an assignment elsewhere does not take that back.
# versions: 2.6+
# finding: fallback-random
# says: options=
# inductor
# alone
import torch
from result import result


@torch.compile(options={"fallback_random": True})
def f(x):
    return torch.nn.functional.dropout(x.sin(), 0.5) * 2


torch.manual_seed(0)
result(f(torch.ones(64)))
