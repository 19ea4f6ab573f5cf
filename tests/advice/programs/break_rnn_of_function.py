# A recurrent module that is no part of the module that is compiled, but a global of a function.
# finding: break-unsupported-module
# also: skipped-frame
# tolerance: 1e-6
import torch
from result import result

torch.manual_seed(0)
first = torch.nn.Linear(4, 4)
rnn = torch.nn.LSTM(4, 4)


def f(x):
    y, _ = rnn(first(x).relu())  # HERE
    return y.sin() + 1


result(torch.compile(f, backend="eager")(torch.ones(3, 2, 4)))
