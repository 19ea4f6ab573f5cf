import torch
from result import result


@torch.compile(backend="eager")
def shake(x, noise):
    x = x.sin() * 2
    return x.cos() + noise


for seed in (1, 2):
    generator = torch.Generator().manual_seed(seed)
    noise = torch.randn(3, generator=generator)
    result(shake(torch.ones(3), noise))
