"""A virtual environment with one version of PyTorch, made once and kept in the user's cache folder."""

import os
import pathlib
import subprocess
import sys

INSTALL_S = 900  # from a disk it takes one minute; a build with CUDA comes over the network


def extra(version):
    """What else is needed: PyTorch up to 2.2 was built for the first NumPy."""
    return ["numpy<2" if tuple(map(int, version.split(".")[:2])) < (2, 3) else "numpy"]


def folder_of(version):
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return cache / "pt2trace" / f"venv-torch-{version}"


def python_with_torch(version):
    """Path of a Python that can import torch `version`; installs it by name where it is not there yet."""
    folder = folder_of(version)
    ready = folder / "ready"
    python = folder / "bin" / "python"
    if not ready.exists():
        print(f"installing torch {version} into {folder}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", f"torch=={version}", *extra(version)], check=True, timeout=INSTALL_S)
        ready.touch()
    return str(python)


def prefixes(python):
    """Where that Python keeps its own files: (environment, base installation)."""
    code = "import sys; print(sys.prefix); print(sys.base_prefix)"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.split("\n")[:2]
