# Graphs of several sizes in one batch: the model finds out how many there are from the data.
# True cause: int(batch.max()) reads a tensor's value in the middle of forward. Nodes and edges vary in number, too.
# versions: 2.13+
# long
# finding: break-item
# also: recompile-size
import torch
from result import result
from torch import nn


class Convolution(nn.Module):
    def __init__(self, fan_in, fan_out):
        super().__init__()
        self.linear = nn.Linear(fan_in, fan_out)

    def forward(self, x, edges):
        source, target = edges
        message = self.linear(x)[source]
        return torch.zeros(x.shape[0], message.shape[1]).index_add(0, target, message)


class GraphModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.head = Convolution(5, 16), Convolution(16, 16), nn.Linear(16, 2)

    def forward(self, x, edges, batch):
        x = self.first(x, edges).relu()
        x = self.second(x, edges).relu()
        graphs = int(batch.max()) + 1  # HERE
        pooled = torch.zeros(graphs, x.shape[1]).index_add(0, batch, x)
        return self.head(pooled)


def batches():
    for nodes in ((4, 5, 3), (6, 2), (7, 3, 4, 2), (5, 5, 5)):
        total = sum(nodes)
        batch = torch.cat([torch.full((n,), i) for i, n in enumerate(nodes)])
        yield torch.randn(total, 5), torch.randint(total, (2, 3 * total)), batch


torch.manual_seed(0)
model = torch.compile(GraphModel(), backend="eager")
for x, edges, batch in batches():
    with torch.no_grad():
        result(model(x, edges, batch))
