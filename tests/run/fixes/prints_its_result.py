# The program's result is what the compiled function prints: advice that silences it would change it.
# finding: break-print
import torch


def reports(x):
    y = x * 2
    print("RESULT", y.tolist())
    return y + 1


fast = torch.compile(reports, backend="eager")
for n in range(3):
    fast(torch.full((2,), float(n)))
