"""How many instructions a command takes, counted by valgrind: the same on a busy machine as on an idle one, within 0.1 %."""

import os
import re
import shutil
import subprocess

VALGRIND = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]


def missing():
    return None if shutil.which(VALGRIND[0]) else "valgrind not installed: tools/setup --tests"


def count(command, statuses=(0,)):
    """Of a command of one thread that starts no other program."""
    # Meson's tests have memory filled, which takes instructions, too.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MALLOC_", "GLIBC_"))}
    done = subprocess.run([*VALGRIND, *map(str, command)], capture_output=True, check=False, env=environment)
    found = re.search(rb"I +refs: +([\d,]+)", done.stderr)
    if done.returncode not in statuses or not found:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr[-800:].decode(errors='replace')}")
    return int(found[1].replace(b",", b""))
