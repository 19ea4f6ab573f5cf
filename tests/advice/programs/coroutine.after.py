import asyncio

import torch
from result import result


@torch.compile(backend="eager")
def compute(x):
    return x.sin() * 2


async def serve(x):
    await asyncio.sleep(0)
    return compute(x)


result(asyncio.run(serve(torch.ones(3))))
