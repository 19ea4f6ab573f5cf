"""No C compiler where Triton looks for one."""
# fails: (?i)failed to find C compiler|No such file or directory
# fix cc: CC=|build-essential|gcc
import os
import shutil
import tempfile

import torch
from variant import FIX, result

compiler = shutil.which("gcc")
os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp()
os.environ["PATH"] = "/nonexistent"
if FIX == "cc":
    os.environ["CC"] = compiler
    os.environ["PATH"] = os.path.dirname(compiler)


@torch.compile
def scale(x):
    return x * 2 + 1


result(scale(torch.ones(64, device="cuda")).sum())
