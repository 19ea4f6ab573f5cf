"""A state that goes from one step to the next, with the steps marked and unmarked."""
# fails: accessing tensor output of CUDAGraphs that has been overwritten
# fix clone: \.clone\(\)
import torch
from variant import FIX, result


class Cell(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(16, 16)

    def forward(self, x, state):
        state = torch.tanh(self.linear(x) + state)
        return state * 2, state


torch.manual_seed(0)
cell = torch.compile(Cell().cuda(), mode="reduce-overhead")
optimizer = torch.optim.SGD(cell.parameters(), lr=0.01)
state = torch.zeros(4, 16, device="cuda")
for step in range(6):
    torch.compiler.cudagraph_mark_step_begin()
    y, state = cell(torch.full((4, 16), step / 10, device="cuda"), state.detach())
    y.sum().backward()
    optimizer.step()
    optimizer.zero_grad()
    if FIX == "clone":
        state = state.detach().clone()
result(state.sum())
