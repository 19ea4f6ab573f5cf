# A physics step: if anything touches the ground, forces are computed for those alone.
# True cause: nonzero(): how many touch depends on data. And a branch on any().
# versions: 2.13+
# long
# finding: break-branch|break-data-shape
# also: break-branch break-data-shape recompile-size skipped-frame
import torch
from result import result


@torch.compile(backend="eager")
def simulate(position, speed):
    speed = speed - 0.1
    position = position + 0.1 * speed
    below = position < 0
    if below.any():
        where = below.nonzero().squeeze(1)
        speed = speed.index_copy(0, where, -0.8 * speed[where])
        position = position.clamp(min=0)
    return position, speed


torch.manual_seed(0)
position, speed = torch.rand(6) * 0.1, torch.zeros(6)
for _ in range(6):
    position, speed = simulate(position, speed)
    result(position, speed)
