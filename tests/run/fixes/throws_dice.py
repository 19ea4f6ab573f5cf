# Random numbers without a seed: two runs never print the same, and nothing can be said of results.
# finding: break-print
import torch


def noisy(x):
    print("draw")
    return x + torch.rand_like(x)


fast = torch.compile(noisy, backend="eager")
for _ in range(3):
    print("value", fast(torch.ones(2)).sum().item())
