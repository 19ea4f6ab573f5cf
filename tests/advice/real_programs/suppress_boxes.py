# Greedy suppression of boxes with a loop that asks a tensor whether to go on.
# True cause: the branch on a tensor's value.
# versions: 2.13+
# finding: break-branch|break-item
# also: break-branch break-item
import torch
from result import result


def area(b):
    return (b[:, 2] - b[:, 0]).clamp(min=0) * (b[:, 3] - b[:, 1]).clamp(min=0)


def overlap(one, many):
    low = torch.maximum(one[None, :2], many[:, :2])
    high = torch.minimum(one[None, 2:], many[:, 2:])
    inner = area(torch.cat([low, high], 1))
    return inner / (area(one[None]) + area(many) - inner)


@torch.compile(backend="eager")
def suppress(boxes, scores, threshold):
    alive = torch.ones_like(scores, dtype=torch.bool)
    keep = torch.zeros_like(alive)
    while alive.any():
        best = torch.where(alive, scores, scores.new_tensor(-1.0)).argmax()
        hits = overlap(boxes[best], boxes) > threshold
        keep = keep | torch.nn.functional.one_hot(best, scores.shape[0]).bool()
        alive = alive & ~hits & ~keep
    return keep


torch.manual_seed(0)
corner = torch.rand(12, 2) * 10
result(suppress(torch.cat([corner, corner + 3], 1), torch.rand(12), 0.3))
