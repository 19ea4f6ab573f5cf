# The limit is reached for five reasons: the most frequent stands first, each has its count and its remedy.
# versions: 2.13+
# long
# finding: recompile-limit
# says: 3× `x` went from float32(.|\n)*2× dimension 0 of `x`(.|\n)*1× the length of `lst`(.|\n)*1× the string `FLAG`(.|\n)*1× the Python number `k`
import torch
from result import result

FLAG = "a"


@torch.compile(backend="eager")
def f(x, lst, k):
    y = x * k
    for z in lst:
        y = y + z
    return y.sin() if FLAG == "a" else y.cos()


one = torch.ones(1)
inputs = [(torch.ones(3), [one], 2, "a"), (torch.ones(5), [one], 2, "a"), (torch.ones(5), [one, one], 2, "a"), (torch.ones(5).double(), [one], 2, "a"),
          (torch.ones(5).int(), [one], 2, "a"), (torch.ones(5, requires_grad=True), [one], 2, "a"), (torch.ones(5), [one], 2, "b"),
          (torch.ones(5), [one], 3, "a"), (torch.ones(5), [one, one, one], 2, "a"), (torch.ones(5, 1), [one], 2, "b"), (torch.ones(5, 1, 1), [one], 2, "a")]
for x, lst, k, FLAG in inputs:
    result(f(x, lst, k))
