# A missing key is caught where a guard has all keys, or it is one of a dict that the function made itself.
# clean
# not: missing-guard
# versions: 2.13+
import torch
from result import result

NAMES = ("bread", "milk")


def total_of(basket):
    total, rates = 0, {"bread": 2.0}
    if len(basket) > 3:
        total = 1
    for name in NAMES:
        try:
            total = total + basket[name] * rates[name]
        except KeyError:
            pass
    return total


total = torch.compile(total_of, backend="eager")
result(total({"bread": torch.ones(3), "milk": torch.ones(3)}))
