# Each call brings its generator: drawn before, the numbers stay what they were.
# finding: break-random
# says: pass the numbers in
# versions: 2.6+
import torch
from result import result


@torch.compile(backend="eager")
def shake(x, generator):
    x = x.sin() * 2
    noise = torch.randn(3, generator=generator)  # HERE
    return x.cos() + noise


for seed in (1, 2):
    generator = torch.Generator().manual_seed(seed)
    result(shake(torch.ones(3), generator))
