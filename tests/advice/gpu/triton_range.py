"""A Triton kernel of the program with a range that Triton does not support."""
# fails: power of 2
# fix power: power of (2|two)
import torch
import triton
import triton.language as tl
from variant import FIX, result


@triton.jit
def double_kernel(a, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(a + at, tl.load(a + at, mask=at < n) * 2, mask=at < n)


@torch.compile(fullgraph=True)
def double(x):
    y = x.clone()
    double_kernel[(1,)](y, 100, BLOCK=128 if FIX == "power" else 100)
    return y


result(double(torch.ones(100, device="cuda")).sum())
