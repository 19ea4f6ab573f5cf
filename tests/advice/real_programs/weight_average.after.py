import torch
from result import result


@torch.compile(backend="eager")
def average(shadow, weights, rate):
    return [s * (1 - rate) + w * rate for s, w in zip(shadow, weights)]


torch.manual_seed(0)
weights = [torch.randn(4, 4), torch.randn(4)]
shadow = [w.clone() for w in weights]
for step in range(1, 6):
    weights = [w + 0.1 for w in weights]
    shadow = average(shadow, weights, torch.tensor(1.0 / (step + 1), dtype=torch.float64))
result(shadow)
