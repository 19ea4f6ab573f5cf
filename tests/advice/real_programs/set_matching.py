# Boxes are matched with targets in NumPy inside of the compiled loss.
# True cause: the position of the smallest cost is read as a Python number.
# versions: 2.13+
# long
# finding: break-item
import numpy as np
import torch
from result import result
from torch import nn


def assignment(cost):
    """Greedy, in the place of scipy.optimize.linear_sum_assignment."""
    cost, rows, columns = np.array(cost, copy=True), [], []
    for _ in range(min(cost.shape)):
        i, j = divmod(int(cost.argmin()), cost.shape[1])
        rows.append(i), columns.append(j)
        cost[i, :], cost[:, j] = np.inf, np.inf
    return rows, columns


class Detr(nn.Module):
    def __init__(self):
        super().__init__()
        self.queries = nn.Parameter(torch.randn(5, 16))
        self.attend = nn.MultiheadAttention(16, 2, batch_first=True)
        self.box = nn.Linear(16, 4)

    def forward(self, memory):
        q = self.queries.expand(len(memory), -1, -1)
        return self.box(self.attend(q, memory, memory)[0]).sigmoid()


def set_loss(boxes, targets):
    total = 0.0
    for b, t in zip(boxes, targets):
        cost = torch.cdist(b, t, p=1)
        rows, columns = assignment(cost.detach().cpu().numpy())
        total = total + (b[rows] - t[columns]).abs().sum()
    return total / len(targets)


torch.manual_seed(0)
model, loss_of = torch.compile(Detr(), backend="aot_eager"), torch.compile(set_loss, backend="aot_eager")
for _ in range(2):
    loss = loss_of(model(torch.randn(2, 6, 16)), [torch.rand(2, 4), torch.rand(3, 4)])
    loss.backward()
    result(loss)
