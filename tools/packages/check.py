"""Installs what tools/package built into clean environments, and uses it. Writes TAP: what cannot be tried on this machine is
skipped, with what it takes. PT2TRACE_ROOTS names folders with root file systems of other systems (debootstrap makes them),
separated by colons: the Debian package and the static program are tried in each. PT2TRACE_QEMU names a folder with
qemu-aarch64-static.
"""
import base64
import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile

from . import big_endian, binary, build, products
from .targets import ALL, Target

MODULE = """
import json, sys, pt2trace
report = pt2trace.load(sys.argv[1])
page = pt2trace.report(sys.argv[1], sys.argv[2])
print(json.dumps([pt2trace.__version__, report.totals["graph_breaks"], page.stat().st_size > 100000]))
"""


class Check:
    def __init__(self, root, output, folder):
        self.root, self.output, self.folder = root, output, pathlib.Path(folder)
        self.count = self.failed = 0
        self.version = products.version_of(root)
        self.trace = root / "testdata" / "graph_breaks" / "trace"

    def point(self, name, passed, why=""):
        self.count += 1
        self.failed += not passed
        print(f"{'ok' if passed else 'not ok'} {self.count} - {name}", flush=True)
        if not passed:
            print("".join(f"#   {line}\n" for line in str(why).splitlines()[-8:]), end="", flush=True)
        return passed

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}", flush=True)

    def run(self, *words, **more):
        return subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **more)

    def wheel(self, target: Target):
        return self.output / f"pt2trace-{self.version}-py3-none-{target.wheel_tag}.whl"


# --- the files themselves ---------------------------------------------------------------------------------------------

def sums(check):
    wrong = []
    for line in (check.output / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        if hashlib.sha256((check.output / name).read_bytes()).hexdigest() != digest:
            wrong.append(name)
    check.point("checksums", not wrong, wrong)
    bill = json.loads((check.output / f"pt2trace-{check.version}.cdx.json").read_text())
    check.point("SBOM names every library", len(bill["components"]) == 6 and all(part["hashes"] for part in bill["components"]))


def record(check, target, archive):
    """Every file of a wheel is in its RECORD, with its digest."""
    lines = archive.read(f"pt2trace-{check.version}.dist-info/RECORD").decode().splitlines()
    wrong = []
    for name, digest, size in (line.rsplit(",", 2) for line in lines if not line.endswith(",,")):
        data = archive.read(name)
        found = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        wrong += [name] if (found, str(len(data))) != (digest, size) else []
    check.point(f"{target.name}: RECORD", not wrong and len(lines) == len(archive.namelist()), wrong)


def head(check, target, archive):
    found = binary.read(archive.read("pt2trace/bin/pt2trace"))
    kind = "mach-o" if target.system == "darwin" else "elf"
    check.point(f"{target.name}: a program for it", (found.kind, found.cpu) == (kind, target.cpu), found)
    if target.system == "darwin":
        oldest = tuple(map(int, target.wheel_tag.split("_")[1:3]))
        check.point(f"{target.name}: it needs nothing but macOS {oldest[0]}.{oldest[1]}",
                    found.libraries == ["/usr/lib/libSystem.B.dylib"] and found.system == oldest, found)
        check.point(f"{target.name}: it is signed where it must be", found.signed or target.cpu == "x86_64", found)
    else:
        check.point(f"{target.name}: {'needs glibc' if target.gpu else 'needs no library'}", found.dynamic == target.gpu, found)


def chosen(check, target):
    """pip takes this wheel of all that are there on each system that its tags name."""
    for tag in target.wheel_tag.split("."):
        folder = check.folder / "chosen" / tag
        done = check.run(sys.executable, "-m", "pip", "download", "--quiet", "--no-index", "--find-links", check.output, "--no-deps",
                         "--only-binary", ":all:", "--platform", tag, "--dest", folder, "pt2trace")
        there = [path.name for path in folder.glob("*")] if folder.exists() else []
        check.point(f"{target.name}: pip takes it on {tag}", there == [check.wheel(target).name], f"{there}\n{done.stderr}")


def wheels(check):
    for target in ALL:
        path = check.wheel(target)
        if not path.exists():
            check.skip(f"{target.name}: wheel", "it is not in the folder")
            continue
        with zipfile.ZipFile(path) as archive:
            chosen(check, target)
            record(check, target, archive)
            head(check, target, archive)
            names = archive.namelist()
            check.point(f"{target.name}: licenses and manual", sum("/licenses/" in name for name in names) >= 8
                        and any(name.endswith("man1/pt2trace-run.1") for name in names), names)
        if target.gpu:
            done = check.run(build.tools() / "auditwheel", "show", path)
            tag = target.wheel_tag.split(".")[0]
            check.point(f"{target.name}: auditwheel", f'"{tag}"' in done.stdout, done.stdout + done.stderr)


# --- installed on this machine ----------------------------------------------------------------------------------------

def environment(check):
    """pip install, the main job, the module, python -m, pip uninstall."""
    target = next(target for target in ALL if target.gpu and target.cpu == platform.machine())
    folder = check.folder / "venv"
    check.run(sys.executable, "-m", "venv", folder)
    before = {path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    done = check.run(folder / "bin" / "pip", "install", "--no-index", "--quiet", check.wheel(target))
    if not check.point("pip install", done.returncode == 0, done.stderr):
        return
    clean = {"PATH": "/usr/bin:/bin", "HOME": str(check.folder)}
    done = check.run(folder / "bin" / "pt2trace", "--no-browser", "-o", check.folder / "out", check.trace, env=clean)
    check.point("the main job", done.returncode == 0 and "9 graph breaks" in done.stdout, done.stdout + done.stderr)
    done = check.run(folder / "bin" / "python", "-c", MODULE, check.trace, check.folder / "page", env=clean)
    check.point("the module", done.stdout == json.dumps([check.version, 9, True]) + "\n", done.stdout + done.stderr)
    done = check.run(folder / "bin" / "python", "-m", "pt2trace", "--version", env=clean)
    check.point("python -m pt2trace", done.stdout.startswith(f"pt2trace {check.version}\n"), done.stderr)
    check.run(folder / "bin" / "pip", "uninstall", "--yes", "pt2trace")
    after = {path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    check.point("pip uninstall leaves nothing", after == before, after - before)


def with_torch(check):
    """Captures, the pytest plugin and a notebook, of the installed wheel, under two versions of PyTorch."""
    target = next(target for target in ALL if target.gpu and target.cpu == platform.machine())
    folder = check.folder / "unpacked"
    check.run(sys.executable, "-m", "pip", "install", "--no-index", "--quiet", "--target", folder, check.wheel(target))
    program = folder / "pt2trace" / "bin" / "pt2trace"
    for name, more in (("test_module.py", []), ("test_capture.py", [folder])):
        done = check.run(sys.executable, check.root / "tests" / "python" / name, program, check.root, *more)
        points = done.stdout.splitlines()
        bad = [line for line in points if line.startswith("not ok") or "# SKIP" in line]
        check.point(f"tests/python/{name} with the installed wheel: {sum(line.startswith('ok') for line in points)} points",
                    done.returncode == 0 and not bad, "\n".join(bad) + done.stderr)


# --- elsewhere --------------------------------------------------------------------------------------------------------

def in_root(check, root, *words):
    """Runs it in another root file system, as a user who is root there alone."""
    return check.run("unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "chroot", root, *words)


def static(check):
    archive = check.output / f"pt2trace-{check.version}-linux-{platform.machine()}.tar.gz"
    if not archive.exists():
        check.skip("the static program in an empty root", "it is not in the folder")
        return
    root = check.folder / "empty"
    with tarfile.open(archive) as tar:
        tar.extractall(check.folder / "static", filter="data")
    program = next((check.folder / "static").glob("*/bin/pt2trace"))
    (root / "tmp").mkdir(parents=True)
    shutil.copy(program, root / "pt2trace")
    shutil.copytree(check.trace, root / "trace")
    done = in_root(check, root, "/pt2trace", "-o", "/out", "--no-browser", "/trace")
    check.point("the static program in a root with nothing else but /tmp", done.returncode == 0 and "9 graph breaks" in done.stdout,
                done.stdout + done.stderr)


def lint_deb(check):
    debs = sorted(check.output.glob("*.deb"))
    if not debs or not shutil.which("lintian"):
        check.skip("lintian", "lintian is not installed" if debs else "no .deb is in the folder")
        return
    done = check.run("lintian", "--fail-on", "error,warning", *debs)
    check.point("lintian", done.returncode == 0, done.stdout + done.stderr)


def other_systems(check):
    roots = [pathlib.Path(name) for name in os.environ.get("PT2TRACE_ROOTS", "").split(":") if name]
    if not roots:
        check.skip("other systems", "PT2TRACE_ROOTS names none")
    for root in roots:
        name = dict(line.split("=", 1) for line in (root / "etc/os-release").read_text().splitlines() if "=" in line)
        place = root / "tmp" / "pt2trace-check"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        deb = shutil.copy(check.output / f"pt2trace_{check.version}_amd64.deb", place)
        shutil.copytree(check.trace, place / "trace")
        inside = f"/tmp/{place.name}"
        done = in_root(check, root, "sh", "-ec", f"dpkg -i {inside}/{pathlib.Path(deb).name} >/dev/null && "
                       f"pt2trace -o {inside}/out --no-browser {inside}/trace && dpkg -r pt2trace >/dev/null && test ! -e /usr/bin/pt2trace")
        check.point(f"{name['PRETTY_NAME'].strip(chr(34))}: dpkg -i, the main job, dpkg -r", done.returncode == 0 and "9 graph breaks" in done.stdout,
                    done.stdout + done.stderr)


def other_processors(check):
    qemu = pathlib.Path(os.environ.get("PT2TRACE_QEMU", "/usr/bin")) / "qemu-aarch64-static"
    wheel = check.wheel(next(target for target in ALL if target.name == "static-aarch64"))
    if not qemu.exists() or not wheel.exists():
        check.skip("aarch64", f"{qemu} is not there" if wheel.exists() else "no wheel is in the folder")
        return
    with zipfile.ZipFile(wheel) as archive:
        program = pathlib.Path(archive.extract("pt2trace/bin/pt2trace", check.folder / "aarch64"))
    program.chmod(0o755)
    for name in ("graph_breaks", "recompiles", "errors", "transformer", "caches_cold", "export", "ranks_branch", "killed"):
        words = ["export", "--format", "json", check.root / "testdata" / name / "trace"]
        there = check.run(qemu, program, *words)
        here = check.run(check.folder / "unpacked" / "pt2trace" / "bin" / "pt2trace", *words)
        # Each names itself, and all the rest is the same.
        texts = [re.sub(r'^"tool":.*$', "", done.stdout, flags=re.M) for done in (there, here)]
        check.point(f"aarch64: {name} as on {platform.machine()}", there.returncode == 0 and texts[0] == texts[1], there.stderr)


def digests(check, there):
    """A digest of one order of bytes, read on a machine of the other, gives the report of the trace."""
    here = check.folder / "unpacked" / "pt2trace" / "bin" / "pt2trace"
    trace, place = check.root / "testdata" / "graph_breaks" / "trace", check.folder / "digests"
    place.mkdir()
    reports = set()
    for writer, reader in ((here, here), (here, there), (there, here), (there, there)):
        check.run(writer, "digest", trace, "-o", place / "x.digest")
        check.run(reader, "merge", place / "x.digest", "-o", place / "out", "--no-browser")
        reports.add(re.sub(r'^"tool":.*$', "", (place / "out" / "report.json").read_text(), flags=re.M))
        shutil.rmtree(place)
        place.mkdir()
    check.point("s390x, big-endian: digests are read both ways", len(reports) == 1, len(reports))


# Under qemu processes have its name and its signals: what watches processes cannot be tried.
NOT_UNDER_QEMU = {"launch"}


def big_endian_tests(check):
    """The unit tests, and what the cases say must come out, on a machine with the other order of bytes."""
    if big_endian.lacks():
        check.skip("s390x", big_endian.lacks())
        return
    folder, program = big_endian.prepare(check.root, os.cpu_count())
    tests = [test["name"] for test in json.loads((folder / "meson-info" / "intro-tests.json").read_text())
             if "pt2trace:unit" in test["suite"] and test["name"] not in NOT_UNDER_QEMU]
    done = check.run(build.tools() / "meson", "test", "-C", folder, "--no-rebuild", "--suite", "unit", "-t", "10", *tests)
    check.point(f"s390x, big-endian: {len(tests)} unit tests", done.returncode == 0, done.stdout)
    digests(check, program)
    for cases in ("trace", "log"):
        done = check.run(sys.executable, check.root / "tests" / "cases" / "run_cases.py", program, check.root / "tests" / "cases" / cases)
        bad = [line for line in done.stdout.splitlines() if line.startswith("not ok")]
        check.point(f"s390x, big-endian: the {cases} cases", done.returncode == 0 and not bad, "\n".join(bad) + done.stderr)


def main(root, output):
    with tempfile.TemporaryDirectory(prefix="pt2trace-package-") as folder:
        check = Check(root, output, folder)
        for part in (sums, wheels, environment, with_torch, static, lint_deb, other_systems, other_processors, big_endian_tests):
            part(check)
        print(f"1..{check.count}")
    return 1 if check.failed else 0
