"""The tests of a big-endian system, s390x, run by qemu on this one: its programs are built by Debian's cross compiler, with
Debian's libraries of s390x, which are unpacked into a folder and not installed."""
from __future__ import annotations

import os
import pathlib
import shutil
import subprocess

from . import build

COMPILER, QEMU, TUPLE = "s390x-linux-gnu-gcc", "qemu-s390x-static", "s390x-linux-gnu"
PACKAGES = ["libcmocka-dev", "libcmocka0", "zlib1g-dev", "zlib1g", "libjansson-dev", "libjansson4", "libmd-dev", "libmd0",
            "libdeflate-dev", "libdeflate0", "libyaml-dev", "libyaml-0-2", "libsqlite3-dev", "libsqlite3-0", "libc6", "libgcc-s1"]
SOURCES = "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main\n"

CROSS_FILE = """[binaries]
c = '{compiler}'
ar = '{tuple}-ar'
strip = '{tuple}-strip'
pkg-config = 'pkg-config'
exe_wrapper = {wrapper}

[properties]
sys_root = '{root}'
pkg_config_libdir = '{root}/usr/lib/{tuple}/pkgconfig'

[built-in options]
c_args = ['-isystem', '{root}/usr/include']
c_link_args = ['-L{root}/usr/lib/{tuple}', '-Wl,-rpath-link,{root}/usr/lib/{tuple}']

[host_machine]
system = 'linux'
cpu_family = 's390x'
cpu = 's390x'
endian = 'big'
"""


def lacks() -> str:
    """What this machine lacks for it; empty if nothing."""
    missing = [name for name in (COMPILER, QEMU, "apt-get", "dpkg-deb") if not shutil.which(name)]
    return f"{', '.join(missing)}: apt install qemu-user-static gcc-{TUPLE} libc6-dev-s390x-cross" if missing else ""


def unpack_libraries(folder: pathlib.Path) -> pathlib.Path:
    root = folder / "root"
    if (root / "usr" / "include").exists():
        return root
    for name in ("state/lists/partial", "cache/archives/partial", "packages", "root"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "status").touch()
    (folder / "sources.list").write_text(SOURCES)
    values = {"Dir::State": folder / "state", "Dir::State::status": folder / "status", "Dir::Cache": folder / "cache",
              "Dir::Etc::sourcelist": folder / "sources.list", "Dir::Etc::sourceparts": "-", "APT::Architecture": "s390x",
              "APT::Architectures": "s390x", "APT::Sandbox::User": ""}
    options = [word for name, value in values.items() for word in ("-o", f"{name}={value}")]
    subprocess.run(["apt-get", "-qq", *options, "update"], check=True)
    subprocess.run(["apt-get", "-qq", *options, "download", *PACKAGES], cwd=folder / "packages", check=True,
                   stdout=subprocess.DEVNULL)
    for path in (folder / "packages").glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", path, root], check=True)
    return root


def wrapper_of(root: pathlib.Path) -> list[str]:
    return [shutil.which(QEMU), "-L", str(root)]


def prepare(source: pathlib.Path, jobs: int) -> tuple[pathlib.Path, pathlib.Path]:
    """Builds the tests. Returns the build folder and a script that is pt2trace of s390x."""
    folder = source / "build-package" / "s390x"
    root = unpack_libraries(folder.with_name("s390x-libraries"))
    wrapper = wrapper_of(root)
    if not (folder / "build.ninja").exists():
        cross = folder.with_suffix(".ini")
        cross.write_text(CROSS_FILE.format(compiler=COMPILER, tuple=TUPLE, root=root, wrapper=wrapper))
        environment = {name: value for name, value in build.environment().items() if name not in ("CC", "CFLAGS", "LDFLAGS")}
        subprocess.run([build.tools() / "meson", "setup", folder, source, "--cross-file", cross, "-Dtests=enabled",
                        "-Dcuda=disabled", "-Dwerror=true", "--wrap-mode=nofallback"], check=True, stdout=subprocess.DEVNULL, env=environment)
    subprocess.run([build.tools() / "ninja", f"-j{jobs}", "-C", folder, "--quiet"], check=True, env=build.environment())
    program = folder / "run-pt2trace"
    program.write_text(f"#!/bin/sh\nexec {' '.join(wrapper)} {folder}/pt2trace \"$@\"\n")
    program.chmod(0o755)
    return folder, program
