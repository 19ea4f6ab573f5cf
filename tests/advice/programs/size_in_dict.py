# A batch is a dict of tensors, passed on with two stars.
# finding: recompile-size
# paste-before (2.7+): # CALL
import torch
from result import result


@torch.compile(backend="eager")
def loss(ids, labels):
    return (ids * labels).sum()


def train():
    for n in (4, 5, 6):
        batch = {"ids": torch.arange(n) / 7, "labels": torch.ones(n)}
        value = loss(**batch)  # HERE  # CALL
        result(value)


train()
