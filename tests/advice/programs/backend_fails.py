# Inductor cannot lower an operator: the graph that fails is run alone.
# inductor
# finding: error
# severity: critical
# also: cache-bypass
# fails: LoweringException|InductorError
import math

import torch
import torch._inductor.lowering as lowering
from result import result

lowering.lowerings[torch.ops.aten.sin.default] = math.sin


def f(x):  # HERE (2.4-2.6)
    return x.sin() * 2  # HERE (2.7+)


result(torch.compile(f)(torch.ones(64)))
