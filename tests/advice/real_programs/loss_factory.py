# Each step makes a loss function with its own class weights, and hands it to the compiled step.
# Nothing is wrong: Dynamo takes closures for alike that have the same code, and tensors in them for inputs.
# versions: 2.13+
# long
# clean
import torch
from result import result
from torch import nn


def make_criterion(weights):
    def criterion(logits, target):
        return (nn.functional.cross_entropy(logits, target, reduction="none") * weights[target]).mean()
    return criterion


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, x):
        return self.layers(x)


@torch.compile(backend="aot_eager")
def forward_loss(net, criterion, x, y):
    return criterion(net(x), y)


torch.manual_seed(0)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    x, y = torch.randn(12, 6), torch.randint(3, (12,))
    criterion = make_criterion(torch.rand(3))
    loss = forward_loss(net, criterion, x, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    result(loss)
