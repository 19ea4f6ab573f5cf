"""Autotuning with a backend that is not installed."""
# fails: No choices to select
# fix backends: max_autotune_gemm_backends = "ATEN,TRITON"
# environment: CUTLASS_PATH=/nonexistent
import torch
from variant import FIX, result

torch._inductor.config.max_autotune_gemm_backends = "ATEN,TRITON" if FIX == "backends" else "CUTLASS"
torch._inductor.config.autotune_fallback_to_aten = False


@torch.compile(mode="max-autotune-no-cudagraphs")
def product(x, w):
    return (x @ w).relu()


result(product(torch.ones(64, 36, device="cuda"), torch.ones(36, 64, device="cuda")).sum())
