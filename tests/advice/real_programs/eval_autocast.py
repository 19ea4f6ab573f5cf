# Training runs under autocast, validation does not.
# True cause: autocast, and gradient mode, are on in some calls and off in others.
# versions: 2.13+
# long
# finding: recompile-global-state
# also: recompile-global-state recompile-training-flag
import torch
from result import result
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.0), nn.Linear(16, 2))
fast = torch.compile(model, backend="aot_eager")
opt = torch.optim.AdamW(model.parameters())
for _ in range(2):
    model.train()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = fast(torch.randn(4, 8)).float().pow(2).mean()
    loss.backward()
    opt.step()
    model.eval()
    with torch.no_grad():
        result(fast(torch.randn(4, 8)).float())
