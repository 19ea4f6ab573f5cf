# Mixed precision with a GradScaler; all of the step is compiled.
# True cause: backward(), the scaler and the optimizer are within the compiled function. Fix: compile the model alone.
# versions: 2.13+
# long
# finding: break-train-step|break-backward
# also: break-item break-branch break-backward recompile-requires-grad skipped-frame tiny-graphs
import torch
from result import result
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 2))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
scaler = torch.amp.GradScaler("cpu", init_scale=128.0)


@torch.compile(backend="aot_eager")
def train_step(x, y):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = nn.functional.cross_entropy(model(x), y)
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad()
    return loss


for _ in range(4):
    result(train_step(torch.randn(16, 8), torch.randint(2, (16,))))
