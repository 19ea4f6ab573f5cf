"""Whether tools/sum-tests counts what meson writes of tests that pass, fail, are skipped, and end badly.

usage: test_sum_tests.py SOURCE
"""

import pathlib
import subprocess
import sys
import tempfile

from tap import Tap

PROJECT = """project('sums')
sh = find_program('sh')
foreach name, script : {SCRIPTS}
  test(name, sh, args: ['-c', script], protocol: name.startswith('tap') ? 'tap' : 'exitcode', timeout: 1)
endforeach
"""
# The script of a test, and what it adds to passed, failed, skipped.
CASES = {
    "tap that passes": ("echo ok 1; echo ok 2; echo 1..2", (2, 0, 0)),
    "tap with a point that fails": ("echo ok 1; echo not ok 2; echo 1..2; exit 1", (1, 1, 0)),
    "tap that skips": ("echo ok 1; echo \"ok 2 # SKIP no GPU\"; echo 1..2", (1, 0, 1)),
    "tap that dies": ("echo 1..3; echo ok 1; echo ok 2; exit 1", (2, 1, 0)),
    "tap that passes and dies": ("echo ok 1; echo 1..1; exit 1", (1, 1, 0)),
    "tap that is killed": ("echo ok 1; kill -9 $$", (1, 1, 0)),
    "tap that takes too long": ("echo ok 1; exec sleep 20", (1, 1, 0)),
    "passes": ("true", (1, 0, 0)),
    "fails": ("false", (0, 1, 0)),
    "takes too long": ("exec sleep 20", (0, 1, 0)),
}


def counted(source, folder, scripts):
    folder.mkdir()
    quoted = ", ".join(f"'{name}': '''{script}'''" for name, script in scripts.items())
    (folder / "meson.build").write_text(PROJECT.replace("SCRIPTS", quoted), encoding="utf-8")
    build = folder / "build"
    for command in (["setup", build], ["test", "-C", build]):
        subprocess.run(["meson", *map(str, command)], cwd=folder, capture_output=True, timeout=120)
    done = subprocess.run([sys.executable, str(source / "tools/sum-tests"), "0", str(build)], capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    skipped = int(lines[-2].split()[0]) if len(lines) > 1 and lines[-2].endswith(" skipped") else 0
    words = lines[-1].split()
    return (int(words[0]), int(words[2]), skipped), done.returncode


def main(source):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace-sums-") as temp:
        for i, (name, (script, expected)) in enumerate(CASES.items()):
            found, status = counted(source, pathlib.Path(temp) / str(i), {name: script})
            tap.equal(f"{name}: what is counted", expected, found)
            tap.equal(f"{name}: exit status", int(expected[1] > 0), status)
        found, _ = counted(source, pathlib.Path(temp) / "all", {name: script for name, (script, _) in CASES.items()})
        tap.equal("all of them", tuple(map(sum, zip(*(counts for _, counts in CASES.values())))), found)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
