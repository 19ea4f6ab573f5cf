"""What a build becomes: wheels, tarballs, Debian packages, and the lists of all of them."""
from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import tarfile
import tempfile
import time
import zipfile

from . import libraries
from .build import Built, licenses
from .targets import Target

SUMMARY = "Reads what torch.compile leaves behind and says what was compiled, why it broke, and what to do"


def version_of(root: pathlib.Path) -> str:
    return re.search(r"version: '([^']+)'", (root / "meson.build").read_text())[1]


def time_of(root: pathlib.Path) -> int:
    """All files bear the time of the last commit, so that the same commit gives the same bytes."""
    if os.environ.get("SOURCE_DATE_EPOCH"):
        return int(os.environ["SOURCE_DATE_EPOCH"])
    done = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=root, capture_output=True, text=True)
    return int(done.stdout) if done.returncode == 0 and done.stdout.strip() else 1700000000


def manual(root: pathlib.Path, built: Built) -> dict[str, bytes]:
    """Manual pages and completions by their path below share/: what a program for this machine says of itself."""
    programs = [built.program, *sorted((root / "build-package").glob("*/pt2trace"))]
    with tempfile.TemporaryDirectory(prefix="pt2trace-manual-") as folder:
        for program in programs:
            try:
                made = subprocess.run([root / "tools" / "make-manual", program, folder], capture_output=True, check=False)
            except OSError:
                continue
            if made.returncode == 0:
                break
        paths = sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


# A link to a file, in Markdown: its words and where it leads.
LINK = re.compile(r"(?<!!)\[([^]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def guide(root: pathlib.Path) -> dict[str, bytes]:
    """README.md and docs/ by their path below share/. Of a link to a file that is not among them its words stay."""
    paths = [root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted((root / "docs").rglob("*.png"))]
    there = {path.resolve() for path in paths}
    files = {}
    for path in paths:
        def one(match, folder=path.parent):
            leads = ":" in match[2] or (folder / match[2]).resolve() in there
            return match[0] if leads else match[1]
        content = path.read_bytes() if path.suffix == ".png" else LINK.sub(one, path.read_text()).encode()
        files[f"doc/pt2trace/{path.relative_to(root)}"] = content
    return files


# --- wheels -----------------------------------------------------------------------------------------------------------

METADATA = """Metadata-Version: 2.4
Name: pt2trace
Version: {version}
Summary: {summary}
License-Expression: BSD-3-Clause AND MIT AND Zlib
{license_files}
Keywords: pytorch,torch.compile,profiling,graph breaks,recompilation
Classifier: Development Status :: 4 - Beta
Classifier: Framework :: Pytest
Classifier: Framework :: IPython
Classifier: Topic :: Software Development :: Debuggers
Classifier: Typing :: Typed
Requires-Python: >=3.8
Provides-Extra: pandas
Requires-Dist: pandas ; extra == 'pandas'
Description-Content-Type: text/markdown

{description}"""

ENTRY_POINTS = """[console_scripts]
pt2trace = pt2trace._binary:main

[pytest11]
pt2trace = pt2trace.pytest_plugin
"""


def description(root: pathlib.Path) -> str:
    """README.md without its pictures and links: what they lead to is not in a wheel."""
    text = re.sub(r"^!\[[^]]*\]\([^)]*\)\n\n", "", (root / "README.md").read_text(), flags=re.M)
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)


def wheel_files(root: pathlib.Path, target: Target, built: Built) -> dict[str, tuple[bytes, int]]:
    """Name to content and mode."""
    version = version_of(root)
    info = f"pt2trace-{version}.dist-info"
    files = {f"pt2trace/{path.name}": (path.read_bytes(), 0o644)
             for path in sorted((root / "python" / "pt2trace").iterdir()) if path.is_file()}
    files["pt2trace/bin/pt2trace"] = (built.program.read_bytes(), 0o755)
    if built.gpu_library:
        files["pt2trace/bin/libpt2trace_gpu.so"] = (built.gpu_library.read_bytes(), 0o755)
    files |= {f"pt2trace-{version}.data/data/share/{name}": (content, 0o644) for name, content in (manual(root, built) | guide(root)).items()}
    texts = licenses(root, target)
    files |= {f"{info}/licenses/{name}": (text.encode(), 0o644) for name, text in texts.items()}
    metadata = METADATA.format(version=version, summary=SUMMARY, description=description(root),
                               license_files="\n".join(f"License-File: {name}" for name in texts))
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in target.wheel_tag.split("."))
    files[f"{info}/METADATA"] = (metadata.encode(), 0o644)
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: pt2trace\nRoot-Is-Purelib: false\n{tags}".encode(), 0o644)
    files[f"{info}/entry_points.txt"] = (ENTRY_POINTS.encode(), 0o644)
    return files


def record_line(name: str, content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def write_wheel(root: pathlib.Path, target: Target, built: Built, output: pathlib.Path) -> pathlib.Path:
    version = version_of(root)
    files = wheel_files(root, target, built)
    record = f"pt2trace-{version}.dist-info/RECORD"
    lines = "".join(record_line(name, content) for name, (content, _) in files.items()) + f"{record},,\n"
    files[record] = (lines.encode(), 0o644)
    path = output / f"pt2trace-{version}-py3-none-{target.wheel_tag}.whl"
    moment = time.gmtime(time_of(root))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (content, mode) in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return path


# --- tar archives and Debian packages ---------------------------------------------------------------------------------

def tar_bytes(files: dict[str, tuple[bytes, int]], moment: int) -> bytes:
    """A gzip'ed tar archive of these files and their folders, of root, with that time."""
    folders = sorted({str(parent) for name in files for parent in pathlib.PurePosixPath(name).parents} - {".", "/"})
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name in folders:
            entry = tarfile.TarInfo(name + "/")
            entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, 0o755, moment
            archive.addfile(entry)
        for name, (content, mode) in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode, entry.mtime = len(content), mode, moment
            entry.uname = entry.gname = "root"
            archive.addfile(entry, io.BytesIO(content))
    return gzip.compress(raw.getvalue(), mtime=moment)


def write_tarball(root: pathlib.Path, target: Target, built: Built, output: pathlib.Path) -> pathlib.Path:
    top = f"pt2trace-{version_of(root)}-linux-{target.cpu}"
    files = {f"{top}/bin/pt2trace": (built.program.read_bytes(), 0o755)}
    files |= {f"{top}/licenses/{name}": (text.encode(), 0o644) for name, text in licenses(root, target).items()}
    files |= {f"{top}/share/{name}": (content, 0o644) for name, content in (manual(root, built) | guide(root)).items()}
    path = output / f"{top}.tar.gz"
    path.write_bytes(tar_bytes(files, time_of(root)))
    return path


CONTROL = """Package: pt2trace
Version: {version}
Architecture: {target.deb}
Maintainer: {maintainer}
Installed-Size: {size}
Depends: libc6 (>= 2.17)
Suggests: python3
Section: devel
Priority: optional
Description: says what torch.compile did, why it broke, and what to do
 pt2trace reads what the PyTorch 2 compiler leaves behind (a TORCH_TRACE
 directory, or the text of a terminal) and says what was compiled, where the
 graph broke, why it was compiled again, what failed and what cost the time.
 .
 It prints a summary, and writes one HTML report and the same facts as JSON.
"""

CHANGES = """pt2trace ({version}) unstable; urgency=medium

  * See CHANGELOG.md.

 -- {maintainer}  {date}
"""

# lintian finds these libraries by their texts; a package for several releases cannot use those of each.
OVERRIDES = """# One package for all releases: the libraries are linked statically, with their licenses in copyright.
pt2trace: embedded-library
"""


def maintainer() -> str:
    """Who gets mail about the package: DEBFULLNAME and DEBEMAIL, as of Debian's own tools."""
    return f"{os.environ.get('DEBFULLNAME', 'The pt2trace authors')} <{os.environ.get('DEBEMAIL', 'pt2trace@pt2trace.invalid')}>"


def copyright_text(root: pathlib.Path, target: Target) -> str:
    parts = ["pt2trace, and the libraries that are linked into it:\n"]
    for name, text in licenses(root, target).items():
        parts.append(f"=== {name}\n\n{text.rstrip()}\n")
    return "\n".join(parts)


def deb_files(root: pathlib.Path, target: Target, built: Built) -> dict[str, tuple[bytes, int]]:
    share = "./usr/share"
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(time_of(root)))
    changes = CHANGES.format(version=version_of(root), maintainer=maintainer(), date=date).encode()
    files = {
        "./usr/bin/pt2trace": (built.program.read_bytes(), 0o755),
        f"{share}/doc/pt2trace/copyright": (copyright_text(root, target).encode(), 0o644),
        f"{share}/doc/pt2trace/changelog.gz": (gzip.compress(changes, mtime=time_of(root)), 0o644),
        f"{share}/lintian/overrides/pt2trace": (OVERRIDES.encode(), 0o644),
    }
    for name, content in (manual(root, built) | guide(root)).items():
        if name.startswith("man/"):
            files[f"{share}/{name}.gz"] = (gzip.compress(content, mtime=0), 0o644)
        else:
            files[f"{share}/{name.replace('zsh/site-functions', 'zsh/vendor-completions')}"] = (content, 0o644)
    if built.gpu_library:
        files["./usr/lib/pt2trace/libpt2trace_gpu.so"] = (built.gpu_library.read_bytes(), 0o644)
    return files


def ar_member(name: str, content: bytes, moment: int) -> bytes:
    head = f"{name:<16}{moment:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode()
    return head + content + b"\n" * (len(content) % 2)


def write_deb(root: pathlib.Path, target: Target, built: Built, output: pathlib.Path) -> pathlib.Path:
    moment = time_of(root)
    files = deb_files(root, target, built)
    sums = "".join(f"{hashlib.md5(content).hexdigest()}  {name.removeprefix('./')}\n" for name, (content, _) in files.items())
    size = sum((len(content) + 1023) // 1024 for content, _ in files.values())
    control = CONTROL.format(version=version_of(root), target=target, maintainer=maintainer(), size=size)
    parts = {"./control": (control.encode(), 0o644), "./md5sums": (sums.encode(), 0o644)}
    path = output / f"pt2trace_{version_of(root)}_{target.deb}.deb"
    path.write_bytes(b"!<arch>\n" + ar_member("debian-binary", b"2.0\n", moment)
                     + ar_member("control.tar.gz", tar_bytes(parts, moment), moment)
                     + ar_member("data.tar.gz", tar_bytes(files, moment), moment))
    return path


def write(root: pathlib.Path, target: Target, built: Built, output: pathlib.Path):
    yield write_wheel(root, target, built, output)
    if target.tarball:
        yield write_tarball(root, target, built, output)
    if target.deb:
        yield write_deb(root, target, built, output)


# --- lists ------------------------------------------------------------------------------------------------------------

def component(lib: libraries.Library) -> dict:
    """An entry of a CycloneDX list."""
    return {"type": "library", "name": lib.name, "version": lib.version, "purl": libraries.purl(lib),
            "licenses": [{"license": {"id": lib.license}}], "hashes": [{"alg": "SHA-256", "content": lib.sha256}]}


def write_sbom(root: pathlib.Path, output: pathlib.Path) -> pathlib.Path:
    version = version_of(root)
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time_of(root)))
    program = {"type": "application", "name": "pt2trace", "version": version,
               "licenses": [{"license": {"id": "BSD-3-Clause"}}], "purl": f"pkg:pypi/pt2trace@{version}"}
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": {"timestamp": moment, "component": program},
            "components": [component(lib) for lib in libraries.all_of(root)]}
    path = output / f"pt2trace-{version}.cdx.json"
    path.write_text(json.dumps(bill, indent=2) + "\n")
    return path


def write_lists(root: pathlib.Path, output: pathlib.Path):
    yield write_sbom(root, output)
    files = sorted(path for path in output.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    sums = output / "SHA256SUMS"
    sums.write_text("".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files))
    yield sums
