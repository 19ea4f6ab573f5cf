import torch
from result import result

torch._dynamo.config.capture_dynamic_output_shape_ops = True


@torch.compile(backend="aot_eager")
def f(x):
    y = x.sin() * 2
    z = y[x > 0]
    z = z.cos() + 1
    i = torch.nonzero(y)
    return z.sum() + i.sum() + torch.unique(y).sum()


result(f(torch.tensor([1.0, -2.0, 3.0, 0.0])), f(torch.tensor([1.0, -2.0, 3.0, 0.0])))
