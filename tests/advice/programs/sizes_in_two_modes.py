# Training with gradients, evaluation without, and other sizes in both: the newest compile is of the other mode.
# finding: recompile-size
# also: recompile-global-state
# paste-before (2.7+): # CALL
import torch
from result import result


def f(x):
    return x.sin() * 2


compiled = torch.compile(f, backend="eager")
for n in (4, 5, 6):
    for grad in (True, False):
        with torch.set_grad_enabled(grad):
            x = torch.arange(n) / 7
            y = compiled(x)  # HERE  # CALL
            result(y)
