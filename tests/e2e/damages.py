"""What happens to a text on its way from a terminal into an issue: one function per kind, text to text (or bytes)."""

import html
import json
import random
import re
import textwrap
import zlib

TIME = "2026-01-02T03:04:{:02d}.{:07d}Z"


def each_line(text, prefix):
    """`prefix` is a text, or a function of the line's number."""
    make = prefix if callable(prefix) else lambda i: prefix
    return "".join(f"{make(i)}{line}\n" for i, line in enumerate(text.splitlines()))


def first_of_blocks(text, prefix):
    """A logger puts its prefix before what is logged, and the lines below go on without it. It names no trainer, which
    would state that the program trains."""
    return re.sub(r"^(?=Traceback \(most recent call last\):)", prefix, text, count=1, flags=re.M)


def one_prefix(text):
    """Of the prefixes of PyTorch a person keeps only the first of each message."""
    before, lines = None, []
    for line in text.splitlines(keepends=True):
        prefix = re.match(r"[VIWE]\d{4} [^\]]*\] (?:\[[\d/]+\] )?(?:\[__\w+\] )?", line)
        lines.append(line[prefix.end():] if prefix and prefix[0] == before else line)
        before = prefix[0] if prefix else before
    return "".join(lines)


def quote(text):
    return each_line(text, "> ").replace("> \n", ">\n")


def quote_some(text):
    """Who copies a quotation loses the mark of some lines."""
    return "".join(f"{line}\n" if i % 4 == 2 or not line else f"> {line}\n" for i, line in enumerate(text.splitlines()))


def bold(text):
    """A person marks what matters: the message, and what is said of a limit."""
    return re.sub(r"^((?:.*\] )? *)((?:[\w.]+(?:Error|Unsupported): |last reason: |torch\._dynamo hit ).*\S)$", r"\1**\2**", text, flags=re.M)


def newest_first(text):
    """As viewers of logs show them."""
    lines = each_line(text, lambda i: f"2026-01-02 03:{i // 600:02d}:{i // 10 % 60:02d}.{i % 10}00 | info | job7 | ")
    return "".join(reversed(lines.splitlines(keepends=True)))


def wrap(width):
    def cut(text):
        return "".join(f"{line[at:at + width]}\n" for line in text.splitlines() for at in range(0, max(len(line), 1), width))
    return cut


def wrap_words(text):
    lines = []
    for line in text.splitlines():
        words = re.search(r"\w +\w", line)
        lines += [line] if not words else textwrap.wrap(line, 100, drop_whitespace=True, break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(lines) + "\n"


def colors(text):
    """As Ray prints the name of a process."""
    return each_line(text, "\x1b[36m(Trainer pid=7241)\x1b[0m ")


def last(n):
    return lambda text: "\n".join(text.splitlines()[-n:]) + "\n"


def flowing(text):
    """A page shows a paragraph of unformatted text, here of a traceback, in one line. Logs keep their lines."""
    if re.search(r"torch[\w./]*(?:\.py:\d+\]|: \[)|^Thread ", text, re.M):
        return text
    parts = re.split(r"(\n{2,})", text)
    return "".join(" ".join(line.strip() for line in part.splitlines()) if part.count('  File "') > 1 else part for part in parts).rstrip("\n") + "\n"


def without_indentation(text):
    return "".join(f"{line.strip()}\n" for line in text.splitlines())


def elided(text):
    """A person leaves out the middle of a long stack."""
    lines = text.splitlines()
    calls = [i for i, line in enumerate(lines) if line.startswith("  File ")]
    runs = [i for i in calls[2:-2] if lines[i + 1].startswith("    ") and i + 2 in calls]
    if len(runs) < 3:
        return text
    return "\n".join(lines[:runs[0]] + ["", "......", ""] + lines[runs[1]:]) + "\n"


def links(text):
    return re.sub(r'File ("?)([^"\n]+\.py)\1(:\d+)?', lambda m: f"File {m[1]}[{m[2]}{m[3] or ''}](http://localhost:8888{m[2]}){m[1]}",
                  text)


def typography(text):
    text = re.sub(r'"([^"\n]*)"', "\u201c\\1\u201d", text)
    return re.sub(r"'([^'\n]*)'", "\u2018\\1\u2019", text)


def two_ranks(text):
    return "".join(f"[rank0]: {line}\n[rank1]: {line}\n" for line in text.splitlines())


def progress(text):
    """tqdm leaves its bar before what is printed next."""
    bar = "  3%|\u258e         | 3/100 [00:01<00:32,  3.02it/s]"
    lines = text.split("\n", 1)
    return bar + lines[0] + "\n" + (lines[1] if len(lines) > 1 else "")


def tabs(text):
    return re.sub(r"^ {4}", "\t", text, flags=re.M)


def dunders(text):
    return text.replace("__call__", "call").replace("__init__", "init")


def in_json(text):
    """One line of a log, as containers' loggers write it."""
    return json.dumps({"time": "2026-01-02T03:04:05Z", "level": "error", "message": text}) + "\n"


def application(text):
    """Lines of a program before, and behind. They state nothing that advice depends on, such as that it trains."""
    return "Loading checkpoint shards: 100%\n  step 1 of 3: 2.31\n\n" + text + "\nINFO: shutting down\n"


def two_workers(text):
    """Both fail alike, and a logger writes a line of one and a line of the other."""
    return "".join(f"(Worker_TP{rank} pid={4711 + rank}) ERROR 01-02 03:04:{i % 60:02d} [worker_main.py:932] {line}\n"
                   for i, line in enumerate(text.splitlines()) for rank in range(2))


def docker_and_end(text):
    """What docker says itself has no name before it."""
    return f"Attaching to shop-1\n{each_line(text, 'shop-1  | ')}shop-1 exited with code 1\n"


def journal_and_end(text):
    unit = each_line(text, lambda i: f"Jan 02 03:04:{i % 60:02d} node7 python[4711]: ")
    return f"{unit}Jan 02 03:05:00 node7 systemd[1]: shop.service: Main process exited, code=exited, status=1/FAILURE\n"


def typescript(text):
    """As script(1) records a terminal."""
    lines = text.replace("\n", "\r\n")
    return f"Script started on 2026-01-02 03:04:05+00:00 [TERM=\"xterm\"]\r\n{lines}\r\nScript done on 2026-01-02 03:05:06+00:00\r\n"


def in_pytest(text):
    """A program that a test starts: pytest marks the lines of its output, which has become a message."""
    lines = ["=" * 35 + " FAILURES " + "=" * 35, "_" * 31 + " test_shop " + "_" * 31, "", "    def test_shop():", ">       sell()", "",
             "tests/test_shop.py:31: ", "_ " * 40, *(f"E   {line}".rstrip() for line in text.splitlines()),
             "=" * 27 + " short test summary info " + "=" * 28]
    return "\n".join(lines) + "\n"


def other_text(text, choice):
    """A text with another number, word or line; most of what the program reads is in such texts."""
    kind, at = choice % 7, choice // 7
    if kind == 0:
        return re.sub(r"\d+", lambda m: str(int(m[0][:15]) + 1 + at % 2), text, count=1 + at % 4)
    if kind == 1:
        return text[:len(text) // 2]
    if kind == 2:
        return text.replace("True", "\0").replace("False", "True").replace("\0", "False").replace("==", "!=")
    if kind == 3:
        return re.sub(r"'[A-Za-z_][A-Za-z_0-9.]*'", "'quokka'", text)
    lines = text.splitlines(keepends=True)
    if kind == 4 and len(lines) > 1:
        del lines[at % len(lines)]
    elif kind == 5 and len(lines) > 1:
        lines.insert(at % len(lines), lines[at // 3 % len(lines)])
    else:
        words = text.split(" ")
        del words[at % len(words)]
        return " ".join(words)
    return "".join(lines)


def between_sentences(damage):
    """Of a person, who has added them to what was copied."""
    return lambda text: f"Since yesterday our job ends like this:\n\n{damage(text)}\nWhat is to be done?\n"


# What does not change what can be said of a text at all. Bytes are for encodings.
DAMAGES = {
    "indented": lambda text: textwrap.indent(text, "    "),
    "quoted": quote,
    "quoted in part": quote_some,
    "newest first": newest_first,
    "bold": bold,
    "quoted twice": lambda text: quote(quote(text)),
    "times of CI": lambda text: each_line(text, lambda i: TIME.format(i % 60, i) + " "),
    "gh run view --log": lambda text: each_line(text, lambda i: f"test / linux\tRun tests\t{TIME.format(i % 60, i)} "),
    "wrapped at 80": wrap(80),
    "wrapped at 100": wrap(100),
    "wrapped at 132": wrap(132),
    "words wrapped": wrap_words,
    "entities": lambda text: html.escape(text, quote=True),
    "entities in entities": lambda text: html.escape(html.escape(text, quote=True), quote=True),
    "colors": colors,
    "colors with blanks": lambda text: colors(text).replace("\x1b", " "),
    "colors without escape": lambda text: colors(text).replace("\x1b", ""),
    "colors as carets": lambda text: colors(text).replace("\x1b", "^["),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "paragraphs in one line": flowing,
    "no indentation": without_indentation,
    "module taken for a tag": lambda text: text.replace("<module>", ""),
    "docker": lambda text: each_line(text, "trainer-1  | "),
    "journal": lambda text: each_line(text, lambda i: f"Jan 02 03:04:{i % 60:02d} node7 python[4711]: "),
    "kubernetes": lambda text: each_line(text, lambda i: f"{TIME.format(i % 60, i)} stderr F "),
    "times of day": lambda text: each_line(text, lambda i: f"[03:04:{i % 60:02d}.{i % 1000:03d}]: "),
    "slurm": lambda text: each_line(text, "3: "),
    "numbered": lambda text: each_line(text, lambda i: f"{i + 1:4d}  "),
    "numbered with colons": lambda text: each_line(text, lambda i: f"{i + 1}: "),
    "numbered in brackets": lambda text: each_line(text, lambda i: f"[{i + 1}] "),
    "numbered with bars": lambda text: each_line(text, lambda i: f"{i + 1:5d} | "),
    "UTF-16": lambda text: ("\ufeff" + text.replace("\n", "\r\n")).encode("utf-16-le"),
    "UTF-16, the other order": lambda text: ("\ufeff" + text).encode("utf-16-be"),
    "byte-order mark": lambda text: "\ufeff" + text,
    "blank lines between": lambda text: text.replace("\n", "\n\n"),
    "fences": lambda text: f"I get this:\n\n```\n{text}```\n\nWhat can I do?\n",
    "details": lambda text: f"<details><summary>Log</summary>\n\n```python\n{text}```\n\n</details>\n",
    "no-break spaces": lambda text: re.sub(r"^ +", lambda m: "\u00a0" * len(m[0]), text, flags=re.M),
    "all blanks no-break": lambda text: text.replace(" ", "\u00a0"),
    "typography": typography,
    "backslashes before quotation marks": lambda text: text.replace('"', '\\"'),
    "dunders eaten": dunders,
    "one rank": lambda text: each_line(text, "[rank0]: "),
    "loguru": lambda text: each_line(text, lambda i: f"2026-01-02 03:04:{i % 60:02d}.123 | ERROR    | trainer:fit:88 - "),
    "vLLM": lambda text: each_line(text, lambda i: f"(EngineCore_DP0 pid=160) ERROR 01-02 03:04:{i % 60:02d} [core.py:710] "),
    "one prefix": one_prefix,
    "Hydra": lambda text: first_of_blocks(text, "[2026-01-02 03:04:05,678][shop][ERROR] - "),
    "a level": lambda text: first_of_blocks(text, "[WARNING] "),
    "ComfyUI": lambda text: first_of_blocks(text, "!!! Exception during processing !!! "),
    "glog of another": lambda text: first_of_blocks(text, "E0706 03:04:05.678901 4711 shop.py:12] "),
    "a sentence": lambda text: first_of_blocks(text, "Caught exception while stepping: "),
    "the middle left out": elided,
    "links": links,
    "a progress bar": progress,
    "tabs": tabs,
    "an application around": application,
    "JSON": in_json,
    "docker, and its end": docker_and_end,
    "docker, between sentences": between_sentences(docker_and_end),
    "two workers": two_workers,
    "times of CI between sentences": between_sentences(lambda text: each_line(text, lambda i: TIME.format(i % 60, i) + " ")),
    "stern": lambda text: each_line(text, "trainer-0 main "),
    "kubectl logs --prefix": lambda text: each_line(text, "[pod/trainer-0/main] "),
    "journal, and its end": journal_and_end,
    "typescript": typescript,
    "a chat": lambda text: f"alice [9:41 AM]\n{text}\nbob [9:44 AM]\nwhich version?\n",
}

# Those of them that stand before the marks of pytest.
DAMAGES_OF_PYTEST = ["times of CI", "times of CI between sentences", "gh run view --log", "docker, and its end", "journal", "stern"]


def other_lines(text, choice):
    """Some lines say something else, or are lost."""
    lines = text.splitlines()
    for i in range(len(lines)):
        own = zlib.crc32(f"{choice}, {i}".encode())
        if own % 4 == 0 and lines[i]:
            lines[i] = other_text(lines[i], own // 4)
    return "\n".join(lines) + "\n"


def halved(text, choice):
    lines = text.splitlines()
    return "\n".join(line for i, line in enumerate(lines) if zlib.crc32(f"{choice}, {i}".encode()) % 2) + "\n"
