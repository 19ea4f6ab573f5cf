# The contexts of a step are entered through an ExitStack, by a method.
# finding: break-context-manager
# says (2.6+): Write them as a `with` statement
# never-says: pass the result in
# also (2.4-2.6): break-context-manager skipped-frame
# not: break-c-function break-other
import contextlib

import torch
from result import result


class Pricing(torch.nn.Module):
    def __init__(self, half):
        super().__init__()
        self.half = half
        self.shelf = torch.nn.Linear(8, 12)
        self.till = torch.nn.Linear(12, 3)

    def enter(self, stack):
        if self.half:
            stack.enter_context(torch.autocast("cpu", torch.bfloat16))  # HERE (2.7+)
        stack.enter_context(torch.profiler.record_function("till"))  # HERE (2.7+)

    def forward(self, x):
        y = self.shelf(x).relu()
        with contextlib.ExitStack() as stack:  # HERE (2.4-2.6)
            self.enter(stack)
            y = self.till(y * 2)
        return y.float().softmax(-1)


torch.manual_seed(0)
model = torch.compile(Pricing(True).eval(), backend="eager")
with torch.no_grad():
    result(model(torch.ones(2, 8)))
