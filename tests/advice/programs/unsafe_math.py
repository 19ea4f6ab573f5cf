# A setting lets the C++ compiler calculate less exactly.
# versions: 2.6+
# finding: unsafe-math
# severity: info
import torch
import torch._inductor.config
from result import result

torch._inductor.config.cpp.enable_unsafe_math_opt_flag = True


@torch.compile(backend="aot_eager")  # START
def f(x):
    return x.sin() / 3


result(f(torch.ones(64)))
