"""pt2trace as a user runs it: in an environment of our own, from a pipe or a terminal, as somebody who may not read everything."""

import fcntl
import os
import pathlib
import pty
import select
import shutil
import struct
import subprocess
import termios
import unicodedata

import tap

TIMEOUT = 120
NOBODY = 65534


def columns(line):
    """How wide a line is in a terminal."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def passed_on():
    """What a build with sanitizers and one of tools/mutate need of the environment."""
    return {name: value for name, value in os.environ.items() if name.endswith(("SAN_OPTIONS", "PT2_MUTANT", "PT2_REACHED"))}


class Program:
    def __init__(self, path, temp):
        self.path = pathlib.Path(path).resolve()
        self.temp = pathlib.Path(temp)
        self.temp.chmod(0o755)
        (self.temp / "tmp").mkdir()
        (self.temp / "tmp").chmod(0o1777)
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(temp), "LC_ALL": "C.UTF-8", "TMPDIR": str(self.temp / "tmp")}
        self.environment.update(passed_on())

    def env(self, **changes):
        """The environment with changes; None takes a variable away."""
        changed = {**self.environment, **changes}
        return {name: str(value) for name, value in changed.items() if value is not None}

    def command(self, *words):
        return [word if isinstance(word, bytes) else os.fsencode(str(word)) for word in (self.path, *words)]

    def run(self, *words, env=None, **options):
        """Exit status, standard output and error of a call, in bytes."""
        if "stdin" not in options and "input" not in options:
            options["stdin"] = subprocess.DEVNULL
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": TIMEOUT, "cwd": self.temp, **options}
        done = subprocess.run(self.command(*words), env=self.env(**(env or {})), **options)
        for note in tap.NOTES:
            note(self.command(*words), done)
        return done

    def run_as_nobody(self, *words, **options):
        """For whom permissions count: root may do everything. It is a copy that is run, as nobody may not get at the original."""
        copy = self.temp / "pt2trace"
        if not copy.exists():
            shutil.copy(self.path, copy)
        if os.geteuid() == 0:
            options.update(user=NOBODY, group=NOBODY, extra_groups=[])
        return self.run(*words, executable=copy, **options)

    def run_in_terminal(self, *words, width=100, height=50, env=None):
        """Exit status and what a terminal of that width is given, without a pager unless `env` has one."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        child = subprocess.Popen(self.command(*words), env=self.env(**{"TERM": "xterm", "PAGER": "", **(env or {})}), cwd=self.temp, stdin=slave,
                                 stdout=slave, stderr=slave)
        os.close(slave)
        shown = read_all(master)
        os.close(master)
        return child.wait(TIMEOUT), shown.replace(b"\r\n", b"\n")


def read_all(master):
    shown = b""
    while select.select([master], [], [], TIMEOUT)[0]:
        try:
            piece = os.read(master, 1 << 16)
        except OSError:  # the last one closed it
            break
        if not piece:
            break
        shown += piece
    return shown


def tree(folder):
    """{relative path: bytes} of all files below a folder."""
    folder = pathlib.Path(folder)
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def visible(folder):
    """The same as a reader sees them: links to directories are followed, and names that begin with a dot are left out."""
    found = {}
    for place, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths = [pathlib.Path(place, name) for name in names if not name.startswith(".")]
        found.update({str(path.relative_to(folder)): path.read_bytes() for path in paths if path.is_file()})
    return found
