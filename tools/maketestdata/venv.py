"""Virtual environments with PyTorch, made once and kept in the user's cache folder."""

import os
import pathlib
import subprocess
import sys

LIBRARIES = pathlib.Path(__file__).with_name("libraries.txt")
INSTALL_S = 900  # from a disk it takes one minute; a build with CUDA comes over the network
# The torchvision of PyPI needs the CUDA build of PyTorch for its operators. Models need that they are defined, not that they run.
OPERATORS = """

if not _has_ops():
    for _name in ("nms", "qnms"):
        torch.library.define(f"torchvision::{_name}", "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
"""


def cache_folder(name):
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return cache / "pt2trace" / name


def extra(version):
    """What else is needed: PyTorch up to 2.2 was built for the first NumPy."""
    return "numpy<2" if tuple(map(int, version.split(".")[:2])) < (2, 3) else "numpy"


def folder_of(version):
    return cache_folder(f"venv-torch-{version}")


def libraries_folder():
    return cache_folder("venv-libraries")


def make(folder, *requirements):
    """Path of the Python in a new environment."""
    python = folder / "bin" / "python"
    print(f"installing {' '.join(requirements)} into {folder}", file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *requirements], check=True, timeout=INSTALL_S)
    return python


def python_with_torch(version):
    """Path of a Python that can import torch `version`; installs it by name where it is not there yet."""
    folder = folder_of(version)
    if not (folder / "ready").exists():
        make(folder, f"torch=={version}", extra(version))
        (folder / "ready").touch()
    return str(folder / "bin" / "python")


def python_with_libraries():
    """Path of a Python that can import what libraries.txt names; made again when that changes."""
    folder, wanted = libraries_folder(), LIBRARIES.read_text(encoding="utf-8")
    ready = folder / "ready"
    if not ready.exists() or ready.read_text(encoding="utf-8") != wanted:
        make(folder, "--requirement", str(LIBRARIES))
        [extension] = folder.glob("lib/python3*/site-packages/torchvision/extension.py")
        with open(extension, "a", encoding="utf-8") as file:
            file.write(OPERATORS)
        ready.write_text(wanted, encoding="utf-8")
    return str(folder / "bin" / "python")


def prefixes(python):
    """Where that Python keeps its own files: (environment, base installation)."""
    code = "import sys; print(sys.prefix); print(sys.base_prefix)"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.split("\n")[:2]
