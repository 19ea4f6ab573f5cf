"""Profile-guided dynamic shapes, the same program twice: pgo_first learns that a size changes, pgo_second knows it."""

import torch

RUN = {
    "runs": ["pgo_first", "pgo_second"],
    "env": {"TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO": "1", "TORCH_COMPILE_JOB_ID": "shop-training"},
}


@torch.compile(backend="eager")
def grows(x):
    return x.sin() + x.shape[0]


for rows in (2, 3, 4):
    grows(torch.ones(rows))
