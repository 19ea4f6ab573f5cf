"""A marked input is another tensor in each call."""
# warns: re-record|skipping cudagraphs
# finding: cudagraphs-skipped
# fix copy: copy_
# fix unmarked: do not mark them
import torch
from variant import FIX, result

torch._dynamo.config.recompile_limit = 64


@torch.compile(mode="reduce-overhead")
def scale(x, cache):
    return (x * cache).sum()


total, keep, alive = 0.0, torch.zeros(4096, device="cuda"), []
torch._dynamo.mark_static_address(keep, guard=False)
with torch.no_grad():
    for step in range(150):
        if FIX == "copy":
            keep.copy_(torch.full((4096,), float(step), device="cuda"))
            cache = keep
        else:
            cache = torch.full((4096,), float(step), device="cuda")
            alive.append(cache)
            if FIX != "unmarked":
                torch._dynamo.mark_static_address(cache, guard=False)
        total += float(scale(torch.ones(4096, device="cuda"), cache))
result(torch.tensor(total))
