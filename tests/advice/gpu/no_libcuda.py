"""The driver's library without the name that the linker looks for."""
# fails: cannot find -lcuda|libcuda
# fix link: ln -s
# inductor
import os
import pathlib
import subprocess
import tempfile

import torch
from variant import FIX, result

folder = pathlib.Path(tempfile.mkdtemp())
driver = next(line.split()[-1] for line in subprocess.run(["ldconfig", "-p"], capture_output=True, text=True).stdout.splitlines()
              if "libcuda.so.1" in line)
(folder / "libcuda.so.1").symlink_to(driver)
if FIX == "link":
    (folder / "libcuda.so").symlink_to("libcuda.so.1")
os.environ["TRITON_LIBCUDA_PATH"] = str(folder)
os.environ["TRITON_CACHE_DIR"] = tempfile.mkdtemp()
os.environ["LIBRARY_PATH"] = ""


@torch.compile
def scale(x):
    return x * 2 + 1


result(scale(torch.ones(64, device="cuda")).sum())
