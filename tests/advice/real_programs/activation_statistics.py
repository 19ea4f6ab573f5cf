# Forward hooks watch the activations of each layer, and keep means as Python numbers.
# True causes: .item() in the hook breaks the graph, so that the hook has a frame of its own, which is compiled for each name; and the
# lists grow with each call, and code that appends to them is compiled for their length. That Linear then has a frame of its own, with
# other sizes for each layer, follows from the first.
# versions: 2.13+
# long
# finding: break-item
# also: recompile-limit recompile-length
# not: recompile-specialized
import torch
from collections import defaultdict
from result import result
from torch import nn

statistics = defaultdict(list)


def watch(name):
    def hook(module, args, output):
        statistics[name].append(output.abs().mean().item())
    return hook


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 16), nn.GELU(), nn.Linear(16, 4)).eval()
for name, layer in model.named_modules():
    if isinstance(layer, nn.Linear):
        layer.register_forward_hook(watch(name))
model = torch.compile(model, backend="eager")
with torch.no_grad():
    for _ in range(3):
        result(model(torch.randn(4, 8)))
result({name: len(values) for name, values in statistics.items()})
