# One judge gets goods that were made, which need gradients, and goods that were bought, which do not.
# finding: recompile-requires-grad
# versions: 2.6+
# severity: low
# says: requires gradients
# never-says: one after the other
import torch
from result import result


class Judge(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mark = torch.nn.Linear(4, 1)

    def forward(self, x):
        return self.mark(x)


torch.manual_seed(0)
judge = Judge()
judge.compile(backend="eager")
bought, made = torch.ones(2, 4), torch.ones(2, 4, requires_grad=True)
for day in range(3):
    for goods in (bought, made):
        mark = judge(goods)  # HERE
        result(mark)
