"""A C compiler that finds no linker."""
# fails: cannot find .ld.
# fix path: `PATH` have the directory of `ld`
import os
import shutil
import tempfile

import torch
from variant import FIX, result

os.environ["CC"] = os.environ.get("CC") or shutil.which("gcc")
os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp()
if FIX != "path":
    os.environ["PATH"] = "/nonexistent"


@torch.compile
def scale(x):
    return x * 2 + 1


result(scale(torch.ones(64, device="cuda")).sum())
