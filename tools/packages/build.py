"""Builds the program for one target with zig."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import subprocess
import sys

from . import libraries
from .targets import Target

# What a build takes from PyPI.
TOOLS = ["ziglang==0.17.1", "meson==1.12.1", "ninja==1.13.0", "auditwheel==6.8.2"]

GPU_LIBRARY = "libpt2trace_gpu.so"

CROSS_FILE = """[binaries]
c = ['{zig}', 'cc', '-target', '{target.triple}'{features}]
ar = ['{zig}', 'ar']
pkg-config = 'false'
cmake = 'false'

[host_machine]
system = '{target.system}'
cpu_family = '{target.cpu}'
cpu = '{target.cpu}'
endian = 'little'
"""


@dataclasses.dataclass(frozen=True)
class Built:
    program: pathlib.Path
    gpu_library: pathlib.Path | None


def tools() -> pathlib.Path:
    """The bin folder of an environment that has TOOLS; it is made once."""
    folder = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "pt2trace" / "venv-package"
    stamp = folder / "tools.txt"
    if not stamp.exists() or stamp.read_text().split() != TOOLS:
        for words in ([sys.executable, "-m", "venv", folder],
                      [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *TOOLS]):
            # venv prints its complaint about a missing ensurepip to stdout, which is reserved for the path of the program.
            if subprocess.run(words, stdout=sys.stderr, check=False).returncode != 0:
                raise SystemExit(f"package: {folder}: no environment with {', '.join(TOOLS)} could be made there: that needs "
                                 "Python 3.10 or later with venv (Debian: python3-venv), and PyPI or a mirror that pip knows")
        stamp.write_text("\n".join(TOOLS))
    return folder / "bin"


def zig_of(bin_folder: pathlib.Path) -> pathlib.Path:
    """The compiler itself, without a Python before every call."""
    return next(bin_folder.parent.glob("lib/python3*/site-packages/ziglang/zig"))


def environment() -> dict[str, str]:
    """meson, and a build that calls meson again, must find the ninja that builds: another one does not read its log."""
    return {**os.environ, "NINJA": str(tools() / "ninja")}


def configure(root: pathlib.Path, target: Target, folder: pathlib.Path) -> None:
    bin_folder = tools()
    cross = folder.with_suffix(".ini")
    cross.parent.mkdir(parents=True, exist_ok=True)
    features = f", '-mcpu={target.features}'" if target.features else ""
    cross.write_text(CROSS_FILE.format(zig=zig_of(bin_folder), target=target, features=features))
    with_yaml = "libyaml" not in target.without
    with_sqlite = "sqlite" not in target.without and libraries.is_there(root, "sqlite")
    subprocess.run([
        bin_folder / "meson", "setup", folder, root, "--cross-file", cross, "--wrap-mode=forcefallback",
        "--default-library=static", "-Doptimization=2", "-Ddebug=false", "-Dc_link_args=-s", "-Dwarning_level=0", f"-Db_pie={'false' if target.system == 'wasi' else 'true'}", "-Dtests=disabled",
        f"-Dcuda={'auto' if target.gpu else 'disabled'}",
        f"-Dlibyaml={'auto' if with_yaml else 'disabled'}", f"-Dsqlite={'enabled' if with_sqlite else 'disabled'}"], check=True, stdout=subprocess.DEVNULL,
        env=environment())


def build(root: pathlib.Path, target: Target, jobs: int) -> Built:
    folder = root / "build-package" / target.name
    if not (folder / "build.ninja").exists():
        configure(root, target, folder)
    gpu_library = folder / GPU_LIBRARY
    # What packages hold and nothing else: libpt2trace, say, needs a linker of macOS there.
    wanted = ["pt2trace"] + [GPU_LIBRARY] * (f"build {GPU_LIBRARY}:" in (folder / "build.ninja").read_text())
    subprocess.run([tools() / "ninja", "-k0", f"-j{jobs}", "-C", folder, "--quiet", *wanted], check=True, env=environment())
    if target.gpu and not gpu_library.exists():
        print("package: no headers of CUDA (CUDA_HOME): without libpt2trace_gpu.so", file=sys.stderr)
    return Built(folder / "pt2trace", gpu_library if gpu_library.exists() else None)


def licenses(root: pathlib.Path, target: Target) -> dict[str, str]:
    """The text of each license by file name: ours, the libraries', and what zig puts into a program."""
    texts = {"LICENSE": (root / "LICENSE").read_text()}
    for lib in libraries.all_of(root):
        if lib.name in target.without:
            continue
        source = root / "subprojects" / lib.folder / lib.license_file
        texts[f"LICENSE.{lib.name}"] = (source.read_text() if lib.license_file else
                                        f"{lib.name} {lib.version} is in the public domain: https://sqlite.org/copyright.html\n")
    zig = zig_of(tools()).parent
    texts["LICENSE.zig"] = (zig / "LICENSE").read_text() if (zig / "LICENSE").exists() else zig_license()
    if target.system == "wasi":
        folder = zig / "lib" / "libc" / "wasi"
        texts["LICENSE.wasi-libc"] = (folder / "LICENSE").read_text() + "\n" + (folder / "LICENSE-MIT").read_text()
    if target.triple.endswith("musl") or target.system == "wasi":
        texts["LICENSE.musl"] = (zig / "lib" / "libc" / "musl" / "COPYRIGHT").read_text(errors="replace")
    return texts


def zig_license() -> str:
    return "The compiler's runtime library (compiler_rt) is of zig, (c) Zig contributors, under the MIT License.\n"
