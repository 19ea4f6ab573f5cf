"""A bug in Dynamo: here, in a hook that it calls on the code that it has made.

Truth: InternalTorchDynamoError, of KeyError "lost", from backend eager on; without torch.compile it works.
"""

import torch
from torch._dynamo import convert_frame


def hook(code, new_code):
    raise KeyError("lost")


convert_frame.register_bytecode_hook(hook)


@torch.compile(backend="eager")
def f(x):
    return torch.sin(x) + 1


print(f"sum {f(torch.arange(8.0)).sum().item():.4f}")
