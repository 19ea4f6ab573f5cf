# One cause at many places: everything else follows from it.
# finding: break-print
# also: tiny-graphs break-hotspot
# not: skipped-frame
# versions: 2.6+
import torch
from result import result


def layer(x):
    return (x.sin() * 2).relu()


@torch.compile(backend="eager")
def loop(x):
    x = layer(x)
    print(1)  # HERE
    x = layer(x)
    print(2)  # HERE
    x = layer(x)
    print(3)  # HERE
    x = layer(x)
    print(4)  # HERE
    x = layer(x)
    print(5)  # HERE
    x = layer(x)
    print(6)  # HERE
    x = layer(x)
    print(7)  # HERE
    x = layer(x)
    print(8)  # HERE
    return layer(x)


result(loop(torch.ones(3)))
