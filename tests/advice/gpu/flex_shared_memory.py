"""Flex attention with blocks that need too much shared memory."""
# fails: out of resource: shared memory|No valid triton configs|OutOfMemoryError
# fix blocks: kernel_options=\{"BLOCK_M": 32, "BLOCK_N": 32\}
import torch
from torch.nn.attention.flex_attention import flex_attention
from variant import FIX, result

options = {"BLOCK_M": 32, "BLOCK_N": 32} if FIX == "blocks" else {"BLOCK_M": 128, "BLOCK_N": 128, "num_stages": 3}


@torch.compile
def attend(q, k, v):
    return flex_attention(q, k, v, kernel_options=options)


torch.manual_seed(0)
q = torch.ones(1, 2, 256, 256, device="cuda")
result(attend(q, q, q).sum())
