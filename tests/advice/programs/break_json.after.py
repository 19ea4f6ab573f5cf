import json

import torch
from result import result

SETTINGS = '{"scale": 2}'


def f(x, scale):
    y = x.sin()
    return y * scale


result(torch.compile(f, backend="eager")(torch.ones(3), json.loads(SETTINGS)["scale"]))
