# Every batch of graphs has other numbers of nodes and edges.
# True cause: the sizes of all three inputs change.
# versions: 2.13+
# long
# finding: recompile-size
# says: `x` and `batch`
# paste-before: # CALL
import torch
from result import result
from torch import nn


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.message, self.update = nn.Linear(2 * width, width), nn.GRUCell(width, width)

    def forward(self, x, edges):
        source, target = edges
        m = torch.relu(self.message(torch.cat([x[source], x[target]], 1)))
        return self.update(torch.zeros_like(x).index_add(0, target, m), x)


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.layers, self.out = nn.ModuleList(Layer(width) for _ in range(2)), nn.Linear(width, 1)

    def forward(self, x, edges, batch):
        for layer in self.layers:
            x = layer(x, edges)
        return self.out(torch.zeros(3, x.shape[1]).index_add(0, batch, x))


torch.manual_seed(0)
net = Net()
step = torch.compile(net, backend="aot_eager")
optimizer = torch.optim.SGD(net.parameters(), 0.01)
for nodes, edges in ((9, 20), (12, 31), (10, 24), (15, 40)):
    x, edge_index = torch.randn(nodes, 8), torch.randint(nodes, (2, edges))
    batch = torch.arange(nodes) % 3
    loss = step(x, edge_index, batch).pow(2).mean()  # CALL
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    result(loss)
