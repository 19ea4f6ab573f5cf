# A thread prepares batches with a compiled function while the main thread uses it for the first one under no_grad, which is a matter of each thread.
# True cause: gradient mode: off in the main thread, on in the worker.
# Fix: no_grad in the function itself, or in both threads.
# versions: 2.13+
# long
# finding: recompile-global-state
# says: grad
import queue
import threading

import torch
from result import result


@torch.compile(backend="eager")
def preprocess(images):
    x = images.float() / 255
    mean, std = x.mean((2, 3), keepdim=True), x.std((2, 3), keepdim=True)
    return torch.nn.functional.avg_pool2d((x - mean) / (std + 1e-5), 2)


def worker(batches, ready):
    for images in batches:
        ready.put(preprocess(images))
    ready.put(None)


torch.manual_seed(0)
batches = [torch.randint(256, (2, 3, 8, 8)) for _ in range(4)]
with torch.no_grad():
    result(preprocess(batches[0]))
    ready = queue.Queue(2)
    thread = threading.Thread(target=worker, args=(batches[1:], ready))
    thread.start()
    while (batch := ready.get()) is not None:
        result(batch)
    thread.join()
