# Each layer prints what goes through it.
# finding: break-print
import torch
from result import result


class Layer(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = torch.nn.Linear(width, width)

    def forward(self, x):
        x = torch.relu(self.linear(x))
        print("layer of", self.linear.in_features)
        return x


torch.manual_seed(3)
model = torch.compile(torch.nn.Sequential(Layer(4), Layer(4), Layer(4)), backend="eager")
for _ in range(2):
    result(model(torch.ones(2, 4)))
