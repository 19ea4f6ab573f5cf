"""The libraries that pt2trace is linked with, as subprojects/*.wrap name them: fetched by name, checked by checksum."""
from __future__ import annotations

import configparser
import dataclasses
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request


@dataclasses.dataclass(frozen=True)
class Library:
    name: str
    file: str        # the archive
    sha256: str
    folder: str      # in the archive, and in subprojects/
    version: str
    license: str     # as SPDX names it
    license_file: str


LICENSE_FILES = {
    "zlib": "LICENSE", "jansson": "LICENSE", "libmd": "COPYING", "libdeflate": "COPYING", "libyaml": "License",
    "sqlite": "",    # public domain: there is no text
}


def library(wrap: pathlib.Path) -> Library:
    config = configparser.ConfigParser()
    config.read(wrap)
    row = config["wrap-file"]
    project = (wrap.parent / "packagefiles" / row["patch_directory"] / "meson.build").read_text()
    version = re.search(r"version: '([^']+)'", project)[1]
    license_name = re.search(r"license: '([^']+)'", project)[1]
    return Library(wrap.stem, row["source_filename"], row["source_hash"], row["directory"], version, license_name,
                   LICENSE_FILES[wrap.stem])


def all_of(root: pathlib.Path) -> list[Library]:
    return [library(wrap) for wrap in sorted((root / "subprojects").glob("*.wrap"))]


def purl(lib: Library) -> str:
    """Where it is from, in the notation of package URLs."""
    if lib.file.endswith(".tgz"):
        name, version = npm_name(lib)
        return f"pkg:npm/{name}@{version}"
    return f"pkg:deb/debian/{lib.file.split('_')[0]}@{lib.version}?arch=source"


def npm_name(lib: Library) -> tuple[str, str]:
    return tuple(lib.file.removesuffix(".tgz").rsplit("-", 1))


def fits(lib: Library, path: pathlib.Path) -> bool:
    return path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == lib.sha256


def apt_options(folder: pathlib.Path) -> list[str]:
    """apt with lists of its own, so that it needs no root: the sources of this machine's packages, source packages alone."""
    lines = []
    sources = pathlib.Path("/etc/apt")
    for path in [sources / "sources.list", *sorted((sources / "sources.list.d").glob("*.list"))]:
        lines += re.findall(r"^deb (.*debian.*)$", path.read_text(), re.M) if path.exists() else []
    for path in sorted((sources / "sources.list.d").glob("*.sources")):
        text = re.sub(r"^Types:.*$", "Types: deb-src", path.read_text(), flags=re.M)
        (folder / "parts").mkdir(exist_ok=True)
        (folder / "parts" / path.name).write_text(text)
    (folder / "sources.list").write_text("".join(f"deb-src {line}\n" for line in lines))
    for name in ("state/lists/partial", "cache/archives/partial", "parts"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    values = {"Dir::Etc::sourcelist": "sources.list", "Dir::Etc::sourceparts": "parts", "Dir::State::lists": "state/lists",
              "Dir::Cache": "cache"}
    return [word for name, value in values.items() for word in ("-o", f"{name}={folder / value}")] + [
        "-o", "APT::Sandbox::User="]


def from_debian(missing: list[Library], into: pathlib.Path) -> None:
    """What apt has of them: of another version of Debian, or of Ubuntu, it has others or none."""
    with tempfile.TemporaryDirectory(prefix="pt2trace-apt-") as name:
        folder = pathlib.Path(name)
        options = apt_options(folder)
        subprocess.run(["apt-get", "-qq", *options, "update"], check=False, stderr=subprocess.DEVNULL)
        for lib in missing:
            subprocess.run(["apt-get", "-qq", *options, "source", "--download-only", "--tar-only", lib.file.split("_")[0]],
                           cwd=folder, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if (folder / lib.file).exists():
                shutil.copy(folder / lib.file, into / lib.file)


POOL = "http://deb.debian.org/debian/pool/main"


def from_pool(missing: list[Library], into: pathlib.Path) -> None:
    """The same archives from where apt gets them, for systems without it: the checksum says whether they are."""
    for lib in missing:
        source = lib.file.split("_")[0]
        folder = source[:4] if source.startswith("lib") else source[0]
        try:
            with urllib.request.urlopen(f"{POOL}/{folder}/{source}/{lib.file}", timeout=120) as answer:
                (into / lib.file).write_bytes(answer.read())
        except OSError as error:
            print(f"package: {POOL}/{folder}/{source}/{lib.file}: {error}", file=sys.stderr)


def from_npm(lib: Library, into: pathlib.Path) -> None:
    subprocess.run(["npm", "pack", "--silent", "@".join(npm_name(lib))], cwd=into, check=True, stdout=subprocess.DEVNULL)


def is_there(root: pathlib.Path, name: str) -> bool:
    lib = library(root / "subprojects" / f"{name}.wrap")
    return fits(lib, root / "subprojects" / "packagefiles" / lib.file)


def fetch(root: pathlib.Path) -> None:
    """Puts all archives into subprojects/packagefiles, where meson looks for them. Ends the program where one is not to be had;
    without npm there is no SQLite, and the program goes without."""
    into = root / "subprojects" / "packagefiles"
    missing = [lib for lib in all_of(root) if not fits(lib, into / lib.file)]
    of_debian = [lib for lib in missing if not lib.file.endswith(".tgz")]
    if of_debian and shutil.which("apt-get"):
        from_debian(of_debian, into)
    from_pool([lib for lib in of_debian if not fits(lib, into / lib.file)], into)
    of_npm = [lib for lib in missing if lib not in of_debian] if shutil.which("npm") else []
    for lib in of_npm:
        from_npm(lib, into)
    for lib in of_debian + of_npm:
        if not fits(lib, into / lib.file):
            raise SystemExit(f"package: {lib.file} with SHA-256 {lib.sha256} is not to be had here: "
                             f"put it into {into.relative_to(root)}")
