# LoRA: each layer has a scale that is set from outside, and adapters that may be switched off with a flag for the reference pass.
# True cause: the flag `enabled` of the adapters is switched between the two passes of each step.
# versions: 2.13+
# long
# never-says: isolate_recompiles
# finding: recompile-module-attribute|recompile-constant
# says: enabled
import torch
from result import result
from torch import nn


class LoRA(nn.Module):
    def __init__(self, inner, rank=2):
        super().__init__()
        self.inner, self.enabled, self.scale = inner, True, 0.5
        self.down, self.up = nn.Linear(inner.in_features, rank, bias=False), nn.Linear(rank, inner.out_features, bias=False)

    def forward(self, x):
        y = self.inner(x)
        return y + self.scale * self.up(self.down(x)) if self.enabled else y


torch.manual_seed(0)
policy = nn.Sequential(LoRA(nn.Linear(6, 12)), nn.Tanh(), LoRA(nn.Linear(12, 3)))
compiled = torch.compile(policy, backend="eager")


def switch(on):
    for module in policy.modules():
        if isinstance(module, LoRA):
            module.enabled = on


for _ in range(3):
    x = torch.randn(4, 6)
    chosen = compiled(x).log_softmax(-1)
    switch(False)
    with torch.enable_grad():
        reference = compiled(x).log_softmax(-1)
    switch(True)
    loss = (chosen.exp() * (chosen - reference.detach())).sum(-1).mean()
    loss.backward()
    result(loss)
