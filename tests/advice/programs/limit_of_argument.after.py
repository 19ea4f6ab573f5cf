# torch.compile sets a limit of its own, which the configuration does not change.
# finding: recompile-limit
# versions: 2.12+
import torch
from result import result


class Says(torch.nn.Module):
    def forward(self, x, word):
        return x + len(word)


model = torch.compile(Says(), backend="eager", recompile_limit=8)
for word in ("a", "bb", "ccc", "dddd"):
    result(model(torch.ones(3), word))  # HERE
other = torch.compile(lambda x: x * 2, backend="eager")
result(other(torch.ones(3)))
