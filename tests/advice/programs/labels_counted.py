# The labels of a batch are counted in Python, from a list of numbers.
# finding: recompile-limit
# says: `Counter` needs each of them as a constant
# says: one_hot
# never-says: raise the limit
# versions: 2.13+
import torch
from collections import Counter
from result import result


def weigh(prices, labels):
    counts = Counter(labels)  # HERE
    return prices * torch.tensor([float(counts[kind]) for kind in range(4)])


torch._dynamo.config.recompile_limit = 5
weighed = torch.compile(weigh, backend="eager")
prices = torch.linspace(0, 1, 4)
for day in range(8):
    result(weighed(prices, [(day + 2) % 4, (day // 2) % 4, (day // 3 + 1) % 4, 1]))
