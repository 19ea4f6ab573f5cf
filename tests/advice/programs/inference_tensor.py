# Some inputs were made under torch.inference_mode(), and all calls are without gradients.
# finding: recompile-inference-tensor
import torch
from result import result


class Double(torch.nn.Module):
    def forward(self, x):
        return x * 2


compiled = torch.compile(Double(), backend="eager")
with torch.inference_mode():
    made = torch.ones(3)
with torch.no_grad():
    for x in (made, torch.ones(3)):
        result(compiled(x))  # HERE
