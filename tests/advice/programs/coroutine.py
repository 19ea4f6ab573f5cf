# A coroutine is compiled: it cannot be cut where it waits.
# finding: error
# fails: AssertionError
# says: async
# never-says: Run the function without
# versions: 2.6+
import asyncio

import torch
from result import result


@torch.compile(backend="eager")
async def serve(x):
    await asyncio.sleep(0)  # HERE
    return x.sin() * 2


result(asyncio.run(serve(torch.ones(3))))
