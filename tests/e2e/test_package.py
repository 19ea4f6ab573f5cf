#!/usr/bin/env python3
"""What tools/package makes of a program: wheels, Debian packages, tarballs and lists. Nothing is compiled; the program is the
one that the tests were built with. Writes TAP.

usage: test_package.py PT2TRACE SOURCE_ROOT

`tools/package --check` installs the real ones and uses them.
"""
import base64
import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile

SOURCE = pathlib.Path(sys.argv[2]).resolve()
sys.path[:0] = [str(SOURCE / "tools"), str(SOURCE / "python")]

from packages import binary, build, libraries, products, targets, web  # noqa: E402
from tap import Tap  # noqa: E402


def versions(tap):
    version = products.version_of(SOURCE)
    module = re.search(r'"(.*)"', (SOURCE / "python/pt2trace/_version.py").read_text())[1]
    change = re.search(r"^## (\S+)", (SOURCE / "CHANGELOG.md").read_text(), re.M)[1]
    tap.equal("one version everywhere", (version, version), (module, change))


def lists(tap):
    libs = libraries.all_of(SOURCE)
    tap.equal("the libraries", ["jansson", "libdeflate", "libmd", "libyaml", "sqlite", "zlib"], [lib.name for lib in libs])
    tap.empty("each has a checksum and a license", [lib.name for lib in libs if len(lib.sha256) != 64 or not lib.license])
    tap.empty("each archive has the version that its build file names", [lib.file for lib in libs if lib.name != "sqlite"
                                                                         and lib.version not in lib.file])


def signed_program():
    """The least that is a program of macOS with an ad hoc signature."""
    at = 64
    body = struct.pack("<12I", 0xFEEDFACF, 0x0100000C, 0, 2, 1, 16, 0, 0, binary.LC_CODE_SIGNATURE, 16, at, 96)
    body += b"padding".ljust(at - len(body), b"\0")
    head = struct.pack(">9I4BI", binary.CODE_MAGIC, 76, 0x20400, binary.AD_HOC, 44, 0, 0, 1, at, 32, binary.SHA256, 0, 12, 0)
    return body + struct.pack(">5I", 0xFADE0CC0, 96, 1, 0, 20) + head + hashlib.sha256(body).digest()


def heads(tap, program):
    found = binary.read(program.read_bytes())
    tap.equal("a program of this machine", ("elf", True), (found.kind, found.dynamic))
    mach = bytes.fromhex("cffaedfe0c000001000000000200000001000000200000000000000000000000") + bytes.fromhex(
        "32000000180000000100000000000b00000000000000000000000000")
    found = binary.read(mach)
    tap.equal("a program of macOS 11 on arm64", ("mach-o", "aarch64", (11, 0)), (found.kind, found.cpu, found.system))
    program = signed_program()
    changed = program.replace(b"padding", b"Padding")
    tap.equal("a signature holds for the program that was signed alone", (True, False, True),
              (binary.read(program).signed, binary.read(changed).signed, changed != program))
    try:
        binary.read(b"#!/bin/sh")
        tap.point("a script is no program", False)
    except ValueError:
        tap.point("a script is no program", True)


def page(tap, program):
    """pt2trace.html around a program of which only the policy of reports is there: its parts, and what may run of them."""
    hashes = web.report_hashes(program.read_bytes())
    stand_in = "\0asm style-src {}; script-src {}".format(*hashes).encode()
    text = web.page(SOURCE, stand_in, {"LICENSE": "<all of it>"})
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    scripts = re.findall(r"<script>(.*?)</script>", text, re.S)
    styles = re.findall(r"<style>(.*?)</style>", text, re.S)
    tap.equal("page: one script and one style that run", (1, 1), (len(scripts), len(styles)))
    tap.empty("page: its policy names them", [part[:40] for part in scripts + styles if web.csp_hash(part) not in policy])
    tap.empty("page: its policy names those of reports", [part for part in hashes if part not in policy])
    tap.point("page: its policy refuses every request", "default-src 'none'" in policy and "connect-src 'none'" in policy
              and not re.search(r"https?:|\*|unsafe-inline|'unsafe-eval'", policy), policy)
    tap.empty("page: nothing is left to be filled in", re.findall(r"\{\{\w+\}\}", re.sub(r"<style>.*?</style>|<script.*?</script>", "", text, flags=re.S)))
    tap.empty("page: it names nothing of the network", re.findall(r"<[^>]*(?:src|href)=.(?:https?:|//)[^>]*>", text))
    tap.point("page: a license is a text in it", "&lt;all of it&gt;" in text)
    ids = set(re.findall(r'\bid="([^"]+)"', text))
    tap.empty("page: its script asks for no element that is not there",
              sorted(set(re.findall(r'(?:byId|on)\("([^"]+)"', scripts[0])) - ids))
    program_text = re.search(r'id="program">([^<]*)<', text)[1]
    tap.equal("page: the program is in it", stand_in, gzip.decompress(base64.b64decode(program_text)))


def guide(tap):
    """What is installed of the guide: no link leads to a file that is not there."""
    files = products.guide(SOURCE)
    wrong = [f"{name}: {link}" for name, content in files.items() if name.endswith(".md")
             for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", re.sub(rb"^```.*?^```$|`[^`\n]*`", b"", content, flags=re.M | re.S).decode())
             if ":" not in link and os.path.normpath(f"{os.path.dirname(name)}/{link}") not in files]
    tap.empty("guide: links of what is installed", wrong)
    tap.point("guide: a link to what is not keeps its words", b"CONTRIBUTING.md and the house tour" in files["doc/pt2trace/README.md"])


def wheel(tap, target, path):
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        record = archive.read(next(name for name in names if name.endswith("/RECORD"))).decode().splitlines()
        tap.equal("wheel: RECORD names every file", sorted(names), sorted(line.rsplit(",", 2)[0] for line in record))
        mode = archive.getinfo("pt2trace/bin/pt2trace").external_attr >> 16
        tap.equal("wheel: the program can be run", 0o100755, mode)
        tags = re.findall(r"^Tag: (.*)$", archive.read(next(n for n in names if n.endswith("/WHEEL"))).decode(), re.M)
        tap.equal("wheel: tags as in its name", [f"py3-none-{tag}" for tag in target.wheel_tag.split(".")], tags)
        modules = {f"pt2trace/{file.name}" for file in (SOURCE / "python/pt2trace").iterdir() if file.is_file()}
        tap.empty("wheel: every module, and that it is typed", sorted((modules | {"pt2trace/py.typed"}) - set(names)))
        guide = [f"pt2trace-{products.version_of(SOURCE)}.data/data/share/doc/pt2trace/{name}"
                 for name in ("README.md", "docs/index.md", "docs/findings/break-print.md", "docs/report.png")]
        tap.empty("wheel: the guide", sorted(set(guide) - set(names)))
        tap.empty("wheel: a manual page", [] if any("/man1/pt2trace.1" in name for name in names) else names)


def installed(tap, path, folder):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    site = next((folder / "venv" / "lib").glob("python3*/site-packages"))
    with zipfile.ZipFile(path) as archive:
        archive.extractall(site)
    (site / "pt2trace/bin/pt2trace").chmod(0o755)
    code = "import pt2trace, sys; print(pt2trace.binary().startswith(sys.prefix), pt2trace.load(sys.argv[1]).totals['graph_breaks'])"
    done = subprocess.run([folder / "venv/bin/python", "-c", code, SOURCE / "testdata/graph_breaks/trace"], capture_output=True,
                          text=True, check=False, env={"PATH": "/usr/bin:/bin"})
    tap.equal("wheel: the module finds the program in it", "True 9\n", done.stdout + done.stderr[-500:])


def deb(tap, path, folder):
    if not shutil.which("dpkg-deb"):
        tap.skip("deb", "there is no dpkg-deb")
        return
    done = subprocess.run(["dpkg-deb", "--raw-extract", path, folder / "deb"], capture_output=True, text=True, check=False)
    tap.equal("deb: dpkg can read it", (0, ""), (done.returncode, done.stderr))
    sums = [line.split("  ") for line in (folder / "deb/DEBIAN/md5sums").read_text().splitlines()]
    tap.empty("deb: md5sums", [name for digest, name in sums
                               if hashlib.md5((folder / "deb" / name).read_bytes()).hexdigest() != digest])
    field = subprocess.run(["dpkg-deb", "--field", path, "Architecture"], capture_output=True, text=True, check=True).stdout
    tap.equal("deb: architecture", "amd64", field.strip())


def commands(folder, **scripts):
    """A folder for PATH: what each command does, by its name; an empty text is this machine's."""
    folder.mkdir()
    for name, text in scripts.items():
        path = folder / name.replace("_", "-")
        if text:
            path.write_text(text)
            path.chmod(0o755)
        else:
            path.symlink_to(shutil.which(path.name))
    return str(folder)


def archives(tap, folder):
    """apt of a system that has none of Debian's source packages, or others than the wraps name."""
    data, into, pool = b"an archive", folder / "subprojects" / "packagefiles", folder / "pool" / "libx" / "libx"
    into.mkdir(parents=True)
    pool.mkdir(parents=True)
    (pool / "libx_1.orig.tar.gz").write_bytes(data)
    lib = libraries.Library("x", "libx_1.orig.tar.gz", hashlib.sha256(data).hexdigest(), "x-1", "1", "MIT", "")
    kept = libraries.all_of, libraries.POOL, os.environ["PATH"]
    libraries.all_of, libraries.POOL = (lambda root: [lib]), (folder / "pool").as_uri()
    os.environ["PATH"] = commands(folder / "apt", apt_get="#!/bin/sh\nexit 100\n", sh="")
    libraries.fetch(folder)
    tap.equal("an archive that apt does not have", data, (into / lib.file).read_bytes())
    (into / lib.file).unlink()
    (pool / lib.file).write_bytes(b"another one")
    try:
        libraries.fetch(folder)
        tap.point("an archive with another checksum", False, "it was taken")
    except SystemExit as error:
        tap.point("an archive with another checksum", lib.file in str(error) and "packagefiles" in str(error), error)
    libraries.all_of, libraries.POOL, os.environ["PATH"] = kept


def quickstart(tap, folder):
    """Where nothing is installed, it says what to install."""
    (folder / "clone" / "tools").mkdir(parents=True)
    script = shutil.copy(SOURCE / "tools" / "quickstart", folder / "clone" / "tools")
    path = commands(folder / "least", **dict.fromkeys(("sh", "dirname", "id", "cat", "rm", "mkdir"), ""),
                    python3="#!/bin/sh\nexit 1\n")
    done = subprocess.run(["sh", script], capture_output=True, text=True, check=False, env={"PATH": path})
    tap.equal("quickstart with nothing to build with", 3, done.returncode)
    tap.point("it says what to install", "gcc, meson, ninja" in done.stderr and "Python 3.10" in done.stderr, done.stderr)


def main():
    tap = Tap()
    program = pathlib.Path(sys.argv[1]).resolve()
    versions(tap)
    lists(tap)
    heads(tap, program)
    page(tap, program)
    guide(tap)
    # What needs the compiler's folder and the libraries' archives is left out: neither need be there.
    products.licenses = lambda root, target: {"LICENSE": (root / "LICENSE").read_text()}
    with tempfile.TemporaryDirectory(prefix="pt2trace-package-") as name:
        folder = pathlib.Path(name)
        target = targets.named("linux-x86_64")
        built = build.Built(program, None)
        first = [path.read_bytes() for path in products.write(SOURCE, target, built, folder)]
        paths = list(products.write(SOURCE, target, built, folder))
        tap.equal("the same again gives the same bytes", [hashlib.sha256(data).hexdigest() for data in first],
                  [hashlib.sha256(path.read_bytes()).hexdigest() for path in paths])
        wheel(tap, target, paths[0])
        installed(tap, paths[0], folder)
        deb(tap, paths[1], folder)
        tarball = products.write_tarball(SOURCE, targets.named("static-x86_64"), built, folder)
        with tarfile.open(tarball) as tar:
            tap.equal("tarball: the program", 0o755, tar.getmember(f"{tarball.name[:-7]}/bin/pt2trace").mode)
        archives(tap, folder / "archives")
        quickstart(tap, folder / "quickstart")
        bill, sums = products.write_lists(SOURCE, folder)
        tap.equal("SBOM", 6, len(json.loads(bill.read_text())["components"]))
        tap.equal("checksums", sorted(path.name for path in [*paths, tarball, bill]), [line.split()[1] for line in sums.read_text().splitlines()])
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
