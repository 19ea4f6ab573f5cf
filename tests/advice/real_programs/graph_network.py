# Graphs with other numbers of nodes and edges in each batch.
# True cause: dimension 0 of `nodes` and dimension 1 of `edges` change.
# versions: 2.13+
# finding: recompile-size
# says: (?s)nodes.*edges|edges.*nodes
import torch
from result import result
from torch import nn


class GraphLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.message, self.update = nn.Linear(2 * dim, dim), nn.Linear(2 * dim, dim)

    def forward(self, nodes, edges):
        sender, receiver = edges
        messages = self.message(torch.cat([nodes[sender], nodes[receiver]], -1)).relu()
        gathered = torch.zeros_like(nodes).index_add_(0, receiver, messages)
        return self.update(torch.cat([nodes, gathered], -1))


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers, self.out = nn.ModuleList(GraphLayer(6) for _ in range(2)), nn.Linear(6, 1)

    def forward(self, nodes, edges):
        for layer in self.layers:
            nodes = layer(nodes, edges).relu()
        return self.out(nodes.mean(0))


torch.manual_seed(0)
network = torch.compile(Network().eval(), backend="eager")
with torch.no_grad():
    for n, e in ((10, 24), (13, 30), (8, 19)):
        result(network(torch.randn(n, 6), torch.randint(n, (2, e))))
