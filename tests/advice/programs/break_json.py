# Text is parsed in the middle of a function.
# finding: break-c-function
# severity: medium
# says: json.loads
# versions: 2.6+
import json

import torch
from result import result

SETTINGS = '{"scale": 2}'


def f(x):
    y = x.sin()
    scale = json.loads(SETTINGS)["scale"]  # HERE
    return y * scale


result(torch.compile(f, backend="eager")(torch.ones(3)))
