"""What the end-to-end tests share: TAP, running pt2trace, comparing."""

import json
import pathlib
import signal
import subprocess

MOST_SHOWN = 12
NOTES = []  # what is given each command that has run, and its end
LAST = []  # what is asked at the end of a test


class Tap:
    """Prints one line per point and counts."""

    def __init__(self):
        self.count = 0
        self.failed = 0
        # A shell has what it starts in the background ignore SIGINT, which the programs that we start would inherit.
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def point(self, name, passed, *why):
        """One point; `why` are lines shown when it failed."""
        self.count += 1
        self.failed += not passed
        print(f"{'ok' if passed else 'not ok'} {self.count} - {' '.join(name.replace('#', '').split())}", flush=True)
        if not passed:
            lines = [line for text in why for line in str(text).splitlines()]
            for line in lines[:MOST_SHOWN] + ["…"] * (len(lines) > MOST_SHOWN):
                print(f"#   {line[:300]}", flush=True)
        return passed

    def equal(self, name, expected, found):
        return self.point(name, expected == found, *difference(expected, found))

    def empty(self, name, list_):
        """A point that passes when a list of complaints is empty."""
        return self.point(name, not list_, *list_)

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}", flush=True)

    def end(self):
        for ask in LAST:
            ask(self)
        print(f"1..{self.count}")
        return 1 if self.failed else 0


def difference(expected, found):
    """The lines that explain why two values differ: of dictionaries only what does."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return [f"{key}: expected {expected.get(key)!r}, found {found.get(key)!r}"
                for key in sorted({*expected, *found}, key=str) if expected.get(key) != found.get(key)]
    return [f"expected {expected!r}", f"found    {found!r}"]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=600, **options)
    for note in NOTES:
        note(command, done)
    return done


class Failed(Exception):
    """pt2trace did not do what it was asked."""


def report_text(pt2trace, folder, *paths, options=(), cwd=None):
    """The bytes of report.json for some paths; `folder` is where the report may be written."""
    command = [pt2trace, "report", "-q", "--no-browser", "--overwrite", "-o", folder, *options, *paths]
    done = run(*command, cwd=cwd)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return pathlib.Path(folder, "report.json").read_bytes()


def report_of(pt2trace, folder, *paths, options=(), cwd=None):
    return json.loads(report_text(pt2trace, folder, *paths, options=options, cwd=cwd))


def trace_folders(root):
    """The folders below `root` that hold trace files, in order."""
    folders = {path.parent for path in pathlib.Path(root).rglob("dedicated_log_torch_trace_*") if path.is_file()}
    return sorted(folders)
