# A function adds what it reads from a tensor to a global variable: without `.item()` it would be a tensor.
# tolerance: 1e-6
# versions: 2.6+
# finding: break-item
# says: is kept for the next call
# never-says: capture_scalar_outputs = True
import torch
from result import result

TAKEN = 0.0

@torch.compile(backend="eager")
def book(x):
    global TAKEN
    TAKEN = TAKEN + x.sum().item()  # HERE
    return x / TAKEN


for n in (1.0, 3.0, 2.0, 5.0, 4.0):
    result(book(torch.tensor([n, 1.0])))
