"""The Python that has the PyTorch of the tests."""

import pathlib
import subprocess


def torch_python(source):
    """Its path and None, or None and why there is none; tools/torch-python installs it."""
    found = subprocess.run([pathlib.Path(source, "tools", "torch-python"), "--no-install"], capture_output=True, text=True, check=False)
    return (found.stdout.strip(), None) if found.returncode == 0 else (None, found.stderr.strip())
