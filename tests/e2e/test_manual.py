#!/usr/bin/env python3
"""The manual pages and completions that tools/make-manual makes of --help. Writes TAP.

usage: test_manual.py PT2TRACE SOURCE_ROOT
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from tap import Tap


def commands_of(pt2trace):
    """As the help of the program lists them."""
    text = subprocess.run([pt2trace, "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^  (\w+) ", text.split("\nCommands:\n")[1].split("\n\n")[0], re.M)


def names_in_help(pt2trace, command):
    text = subprocess.run([pt2trace, command, "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^(?:  -\w, |      )--([\w-]+)", text, re.M))


def complete(folder, *words):
    """What bash offers for the last of these words."""
    script = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pt2trace; printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", script, folder / "bash-completion/completions/pt2trace", *words], capture_output=True,
                          text=True, check=False, cwd=folder)
    return done.stdout.split() if done.returncode == 0 and not done.stderr else [done.stderr]


def pages(tap, pt2trace, folder):
    for command in commands_of(pt2trace):
        path = folder / "man" / "man1" / f"pt2trace-{command}.1"
        text = path.read_text().replace("\\-", "-")
        documented = set(re.findall(r"\\fB--([\w-]+)\\fR", text))
        tap.equal(f"manual of {command}: every option, no other", names_in_help(pt2trace, command), documented)
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-ww", "-Tascii", path], capture_output=True, text=True, check=False)
            tap.equal(f"manual of {command}: groff has nothing to say", "", done.stderr)
    tap.point("manual of the program", (folder / "man" / "man1" / "pt2trace.1").exists())


def completions(tap, pt2trace, folder):
    (folder / "some.digest").touch()
    for command in commands_of(pt2trace):
        offered = {word[2:] for word in complete(folder, "pt2trace", command, "--")}
        tap.equal(f"bash: options of {command}", names_in_help(pt2trace, command), offered)
        zsh = (folder / "zsh/site-functions/_pt2trace").read_text()
        fish = (folder / "fish/vendor_completions.d/pt2trace.fish").read_text()
        row = next(line for line in zsh.splitlines() if line.startswith(f"    {command}) _arguments"))
        tap.equal(f"zsh: options of {command}", names_in_help(pt2trace, command), set(re.findall(r"'--([\w-]+)\[", row)))
        own = [line for line in fish.splitlines() if re.search(rf"from {command}(;|'| |$)", line)]
        tap.equal(f"fish: options of {command}", names_in_help(pt2trace, command),
                  {match[1] for line in own for match in [re.search(r" -l ([\w-]+)", line)] if match})
    tap.equal("bash: commands", ["summary"], complete(folder, "pt2trace", "summ"))
    tap.equal("bash: a file behind an option that wants one", ["some.digest"], complete(folder, "pt2trace", "digest", "-o", "some"))
    tap.equal("bash: the options of report without a command", ["--overwrite"], complete(folder, "pt2trace", "x", "--over"))
    for shell, path in (("zsh", "zsh/site-functions/_pt2trace"), ("fish", "fish/vendor_completions.d/pt2trace.fish")):
        if shutil.which(shell):
            done = subprocess.run([shell, "-n", folder / path], capture_output=True, text=True, check=False)
            tap.equal(f"{shell} can read it", "", done.stderr)


def main(pt2trace, source):
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="pt2trace-manual-") as name:
        folder = pathlib.Path(name)
        done = subprocess.run([pathlib.Path(source) / "tools" / "make-manual", pt2trace, folder], capture_output=True, text=True, check=False)
        if tap.equal("it is made", (0, ""), (done.returncode, done.stderr)):
            pages(tap, pt2trace, folder)
            completions(tap, pt2trace, folder)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
