# A multi-task model switched by the words of the task, of which there are three.
# True cause: `task`, a mode written as words: one compile for each of three.
# finding: recompile-constant
# never-says (2.7+): numbers of their words
import torch
from result import result
from torch import nn


class MultiTask(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 8)
        self.heads = nn.ModuleDict({"translate to German": nn.Linear(8, 4), "summarize the text": nn.Linear(8, 4), "answer the question": nn.Linear(8, 4)})

    def forward(self, x, task):
        return self.heads[task](self.body(x).relu())


torch.manual_seed(0)
model = torch.compile(MultiTask().eval(), backend="eager")
with torch.no_grad():
    for task in ("translate to German", "summarize the text", "answer the question", "translate to German"):
        result(model(torch.randn(3, 8), task))
