# The bytes of an array are hashed in the middle of a function.
# finding: break-numpy
# severity: low
# also: break-c-function
# says: tobytes
import hashlib

import torch
from result import result


def f(x):
    y = x.sin()
    digest = hashlib.md5(x.numpy().tobytes())  # HERE
    return y + len(digest.digest())


result(torch.compile(f, backend="eager")(torch.ones(3)))
