# Eight compiles for several reasons: no one mark is the answer.
# finding: recompile-limit
import torch
from result import result


class Says(torch.nn.Module):
    def forward(self, x, word, flag):
        return (x * 2 if flag else x) + len(word)


model = torch.compile(Says(), backend="eager")
for i in range(9):
    x = torch.ones(3, dtype=torch.float64 if i % 3 == 0 else torch.float32)
    x = x.reshape(1, 3) if i % 4 == 0 else x
    result(model(x, "word"[: i // 2], i % 2 == 0).double())  # HERE
