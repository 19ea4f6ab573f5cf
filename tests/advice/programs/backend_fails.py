# Inductor cannot lower an operator: the graph that fails is run alone.
# inductor
# finding: error
# severity: critical
# also: cache-bypass
# fails: LoweringException|InductorError
import torch
import torch._inductor.lowering as lowering
from result import result


def refuse(*args, **kwargs):
    raise NotImplementedError("no lowering today")


lowering.lowerings[torch.ops.aten.sin.default] = refuse


def f(x):  # HERE (2.4-2.6)
    return x.sin() * 2  # HERE (2.7+)


result(torch.compile(f)(torch.ones(64)))
