# A setting that is a word and no switch: None is not how it is switched off.
# finding: debug-settings
# says: debug_backend_override
# versions: 2.9+
import torch
from result import result

torch._dynamo.config.debug_backend_override = "0-3:eager"


def f(x):
    return x.sin() * 2


result(torch.compile(f, backend="eager")(torch.ones(4)))  # START
