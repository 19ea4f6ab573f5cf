# Numbers in bfloat16 are not those of eager mode, because fused code rounds at other places.
# inductor
# versions: 2.13+
# finding: low-precision
# severity: info
# shows: largest difference from eager 0\.0
import torch
from result import result


def f(x, y):
    return (x * y + x) * y - x * 1.7


torch.manual_seed(0)
x, y = torch.randn(2, 4096).bfloat16()
expected, found = f(x, y), torch.compile(f)(x, y)
print("largest difference from eager", (expected - found).abs().max().item())
result(expected)
