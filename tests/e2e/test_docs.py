#!/usr/bin/env python3
"""The commands in docs/, with what they print; that links within the repository lead somewhere; and that the program and its
reports hold the pages of findings. Writes TAP.

usage: test_docs.py PT2TRACE SOURCE_ROOT [--write]

In a block of the language `console` each line that begins with "$ " is a command, and the lines below it are what it prints.
--write puts there what it prints now: read the difference before you commit it.
"""
import html
import pathlib
import re
import subprocess
import sys
import tempfile

from tap import Tap

BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.M | re.S)
# A folder of the trace is part of some outputs: it is read from where the reader of the page stands.
SAMPLE = "```console\n$ echo one\none\n```\n"


def printed(command, folder, pt2trace):
    environment = {"PATH": f"{folder}:/usr/local/bin:/usr/bin:/bin", "COLUMNS": "80", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return "".join(line.rstrip() + "\n" for line in (done.stderr + done.stdout).splitlines())


def run_blocks(text, run):
    """The text, with what each command prints below it."""
    def one(match):
        return "".join(f"$ {command}\n{run(command)}" for command in re.findall(r"^\$ (.*)$", match[1], re.M))
    return BLOCK.sub(one, text)


# --- links --------------------------------------------------------------------------------------------------------------

LINK = re.compile(r"\]\(([^)\s]+)\)")
LINK_PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "src/README.md", "schema/README.md")


def without_code(text):
    return re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.M | re.S)


def anchors(text):
    """The names that headings have, here and on GitHub."""
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


def broken_links(path, text):
    """Links of a page to files, or to headings, that are not there. What is elsewhere on the web is not asked."""
    for link in LINK.findall(without_code(text)):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        there = path.parent / name if name else path
        if not there.exists():
            yield f"{link}: no such file"
        elif anchor and anchor not in anchors(there.read_text(encoding="utf-8")):
            yield f"{link}: no such heading"


def test_links(tap, source):
    sample = "[a](test_docs.py) [b](no.md) [c](#there) [d](#not)\n## There\n`[e](f)`\n"
    with tempfile.TemporaryDirectory(prefix="pt2trace-links-") as name:
        page = pathlib.Path(name, "page.md")
        page.write_text(sample, encoding="utf-8")
        pathlib.Path(name, "test_docs.py").touch()
        tap.equal("the check of links sees a broken one", ["no.md: no such file", "#not: no such heading"],
                  list(broken_links(page, sample)))
    pages = [*(source / name for name in LINK_PAGES), *sorted((source / "docs").rglob("*.md"))]
    wrong = [f"{page.relative_to(source)}: {link}" for page in pages
             for link in broken_links(page, page.read_text(encoding="utf-8"))]
    tap.empty(f"links of {len(pages)} pages", wrong)
    menu = re.findall(r": (\S+\.md)$", (source / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    named = {*menu, *(str(path.relative_to(source / "docs")) for path in (source / "docs" / "findings").glob("*.md"))}
    tap.equal("the menu names every page", sorted(str(page.relative_to(source / "docs")) for page in (source / "docs").rglob("*.md")
                                                    if page.name != "README.md"),
              sorted(named))


# --- pages of findings ----------------------------------------------------------------------------------------------------

def test_finding_pages(tap, pt2trace, docs, folder):
    """The program prints the pages, and a report holds their programs, each once, wherever a finding leads there."""
    pages = {path.stem: path.read_text(encoding="utf-8") for path in sorted((docs / "findings").glob("*.md"))}
    wanted = {id: text[text.index("\n## ") + 1:] for id, text in pages.items()}
    out = subprocess.run([pt2trace, "findings", *pages], capture_output=True, encoding="utf-8", check=True,
                         env={"LC_ALL": "C.UTF-8"}).stdout
    tap.empty("`findings ID` prints the page of each", [id for id, text in wanted.items() if f"\n\n{text}" not in out])
    trace = folder / "testdata" / "break_causes" / "trace"
    subprocess.run([pt2trace, "--no-browser", "-o", folder / "report", trace], capture_output=True, check=True)
    page = (folder / "report" / "index.html").read_text(encoding="utf-8")
    leads = set(re.findall(r'href="#example-([\w-]+)"', page))
    examples = re.findall(r'<details class="example" id="example-([\w-]+)">(.*?)</details>', page, re.S)
    tap.equal("a report: one example for each sort of finding", sorted(leads), sorted(id for id, _ in examples))
    tap.point("a report: its breaks have examples", len(leads) > 8, leads)
    codes = {id: [html.unescape(code) for code in re.findall(r"<pre[^>]*>(.*?)</pre>", text, re.S)] for id, text in examples}
    tap.equal("a report: programs before and after as in the pages", {
        id: [code.rstrip("\n") for code in re.findall(r"^```\w+\n(.*?)^```$", wanted[id][wanted[id].index("## Before"):], re.M | re.S)]
        for id in codes}, codes)


def main(pt2trace, source, *words):
    tap = Tap()
    docs = pathlib.Path(source) / "docs"
    test_links(tap, pathlib.Path(source))
    with tempfile.TemporaryDirectory(prefix="pt2trace-docs-") as name:
        folder = pathlib.Path(name)
        (folder / "testdata").symlink_to(pathlib.Path(source).resolve() / "testdata")
        (folder / "examples").symlink_to(docs.resolve() / "examples")
        (folder / "pt2trace").symlink_to(pathlib.Path(pt2trace).resolve())
        tap.equal("the check sees a change", SAMPLE, run_blocks(SAMPLE.replace("\none\n", "\ntwo\n"),
                                                                lambda command: printed(command, folder, pt2trace)))
        test_finding_pages(tap, pt2trace, docs, folder)
        for path in sorted(docs.rglob("*.md")):
            text = path.read_text(encoding="utf-8")
            commands = re.findall(r"^\$ (.*)$", "".join(BLOCK.findall(text)), re.M)
            if not commands:
                continue
            now = run_blocks(text, lambda command: printed(command, folder, pt2trace))
            if "--write" in words:
                path.write_text(now, encoding="utf-8")
                text = now
            wrong = [f"now: {new}" for old, new in zip(text.splitlines(), now.splitlines()) if old != new][:6]
            tap.point(f"{path.relative_to(docs)}: {len(commands)} commands print what stands there", text == now, "\n".join(wrong))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
