# Inductor cannot lower an operator: the graph that fails is run alone.
# inductor
# finding: error
# severity: critical
# fails: LoweringException|InductorError
import torch
import torch._inductor.lowering as lowering
from result import result


def refuse(*args, **kwargs):
    raise NotImplementedError("no lowering today")


lowering.lowerings[torch.ops.aten.sin.default] = refuse


def f(x):
    return x.sin() * 2  # HERE


result(torch.compile(f)(torch.ones(64)))
