"""The Python sources in a wheel of PyTorch. Nothing of it is installed or run."""
import ast
import functools
import pathlib
import subprocess
import sys
import tempfile
import zipfile

PLATFORMS = ("manylinux2014_aarch64", "manylinux_2_28_aarch64")  # the smallest builds of most versions; their sources are the same
DOWNLOAD_S = 1800


class Wheel:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.version = self.path.name.split("-")[1].partition("+")[0]
        self.zip = zipfile.ZipFile(path)
        self.names = [n for n in self.zip.namelist() if n.startswith("torch/")]
        self.there = set(self.names)

    @property
    def minor(self):
        return ".".join(self.version.split(".")[:2])

    def text(self, name):
        return self.zip.read(name).decode("utf-8", "replace")

    @functools.lru_cache(maxsize=64)
    def tree(self, name):
        return ast.parse(self.text(name))

    def module_file(self, module):
        """The file of "torch.library", or None."""
        path = module.replace(".", "/")
        return next((n for n in (f"{path}.py", f"{path}/__init__.py", f"{path}.pyi", f"{path}/__init__.pyi") if n in self.there), None)

    def close(self):
        self.zip.close()


def download(version, folder):
    words = [f"--platform={p}" for p in PLATFORMS]
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--python-version=311",
                    *words, "--dest", folder, f"torch=={version}"], check=True, timeout=DOWNLOAD_S)
    return next(pathlib.Path(folder).glob(f"torch-{version}-*.whl"))


def wheels_of(versions, kept=None):
    """The wheel of each version: one of the folder `kept`, or one that is downloaded and deleted again."""
    for version in versions:
        found = sorted(pathlib.Path(kept).glob(f"torch-{version}[-+]*.whl")) if kept else []
        with tempfile.TemporaryDirectory() as folder:
            wheel = Wheel(found[0] if found else download(version, folder))
            yield wheel
            wheel.close()
