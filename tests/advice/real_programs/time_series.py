# A forecaster with an LSTM between linear layers.
# True cause: Dynamo does not trace nn.LSTM by default: the graph breaks there.
# versions: 2.13+
# finding: break-unsupported-module
import torch
from result import result
from torch import nn


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter, self.lstm, self.out = nn.Linear(3, 8), nn.LSTM(8, 8, batch_first=True), nn.Linear(8, 1)

    def forward(self, x):
        h, _ = self.lstm(self.enter(x).relu())  # HERE
        return self.out(h[:, -1]).tanh()


torch.manual_seed(0)
model = torch.compile(Forecaster().eval(), backend="eager")
with torch.no_grad():
    for _ in range(3):
        result(model(torch.randn(2, 12, 3)))
