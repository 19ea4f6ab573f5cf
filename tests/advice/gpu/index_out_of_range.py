"""An embedding with an index that it does not have."""
# fails: device-side assert|index out of bounds
# variable blocking: CUDA_LAUNCH_BLOCKING=1
# shows blocking: y = embed\(ids\)
# fix range: out of range
import torch
from variant import FIX, result

torch.manual_seed(0)
table = torch.nn.Embedding(100, 16).cuda()


@torch.compile
def embed(ids):
    return table(ids).sum(1) * 2


ids = torch.tensor([1, 5, 99 if FIX == "range" else 100], device="cuda")
y = embed(ids)
total = float(y.sum())
result(torch.tensor(total))
