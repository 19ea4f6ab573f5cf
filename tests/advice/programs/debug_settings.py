# Settings for debugging were left on.
# versions: 2.6+
# finding: debug-settings
# severity: low
import torch
import torch._functorch.config
import torch._inductor.config
from result import result

torch._dynamo.config.verify_correctness = True
torch._functorch.config.debug_assert = True
torch._functorch.config.debug_partitioner = True
torch._inductor.config.nan_asserts = True
torch._inductor.config.debug_index_asserts = True
torch._inductor.config.benchmark_kernel = True
torch._inductor.config.profile_bandwidth = True


def f(x):
    return x.sin() * 2


result(torch.compile(f, backend="eager")(torch.ones(4)))  # START
