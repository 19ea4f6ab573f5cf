import torch
from result import result


class Observes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("largest", torch.tensor(float("-inf")))

    def forward(self, x):
        self.largest.copy_(torch.maximum(self.largest, x.detach().max()))
        return x / self.largest


model = Observes()
compiled = torch.compile(model, backend="eager")
for n in (1.0, 3.0, 2.0, 5.0, 4.0):
    result(compiled(torch.tensor([n, 1.0])))
