# Five settings of the whole process change; each is a cause of its own.
# finding: recompile-global-state
# also: recompile-global-state recompile-global-state recompile-global-state recompile-global-state
import torch
from result import result


class Double(torch.nn.Module):
    def forward(self, x):
        return x * 2


compiled = torch.compile(Double(), backend="eager")
x = torch.ones(3)
result(compiled(x))
with torch.no_grad():
    result(compiled(x))
with torch.autocast("cpu"):
    result(compiled(x))
torch.set_num_threads(2)
result(compiled(x))
torch.use_deterministic_algorithms(True)
result(compiled(x))
torch.set_default_dtype(torch.float64)
result(compiled(x))
