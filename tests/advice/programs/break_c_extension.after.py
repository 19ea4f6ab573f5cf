import torch
from markupsafe import _speedups
from result import result


@torch.library.custom_op("mylib::escape_inner", mutates_args=())
def escape_op(x: torch.Tensor) -> torch.Tensor:
    return x * len(_speedups._escape_inner("a < b"))


escape_op.register_fake(torch.empty_like)


@torch.compile(backend="eager")
def f(x):
    y = x.sin() * 2
    return escape_op(y.cos())


result(f(torch.ones(4)))
