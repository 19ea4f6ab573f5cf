"""A view that begins within another tensor, where the compiler was promised aligned inputs."""
# fails: misaligned address
# fix clone: \.clone\(\)
import torch
from variant import FIX, result

torch._inductor.config.assume_aligned_inputs = True


@torch.compile
def scale(x):
    return x * 2 + 1


x = torch.ones(1 << 20, device="cuda", dtype=torch.float32)
scale(x[4:])
view = x[1:-3]
y = scale(view.clone() if FIX == "clone" else view)
torch.cuda.synchronize()
result(y.sum())
