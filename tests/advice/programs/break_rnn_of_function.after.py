import torch
from result import result

torch._dynamo.config.allow_rnn = True
torch.manual_seed(0)
first = torch.nn.Linear(4, 4)
rnn = torch.nn.LSTM(4, 4)


def f(x):
    y, _ = rnn(first(x).relu())
    return y.sin() + 1


result(torch.compile(f, backend="eager")(torch.ones(3, 2, 4)))
