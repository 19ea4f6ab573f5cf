"""A Triton kernel that is given a tensor of the CPU."""
# fails: cpu tensor
# fix cuda: GPU
import torch
import triton
import triton.language as tl
from variant import FIX, result

table = torch.ones(128, device="cuda" if FIX == "cuda" else "cpu")


@triton.jit
def add_kernel(a, b, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(a + at, tl.load(a + at) + tl.load(b + at))


@torch.compile
def add(x, table):
    y = x.clone()
    add_kernel[(1,)](y, table, BLOCK=128)
    return y


result(add(torch.ones(128, device="cuda"), table).sum())
