#!/usr/bin/env python3
"""The HTML report in a browser: that nothing of a trace runs or is fetched, that everything is there with and without
scripts, and that it can be read, in any width, in light and dark, and with the keyboard.

    test_browser.py PT2TRACE SOURCE [NAME...]

SOURCE is the top of the repository; with NAMEs, only those traces of its testdata, and those tests, are looked at. Needs chromedriver and
chromium. Prints TAP."""

import json
import os
import pathlib
import re
import signal
import sys
import tempfile
import time
import urllib.parse

import controls
import hostile
import page_code
import webdriver
from gpu_files import Job
from report_page import (Bench, Page, check_content, check_page, check_widths, different_lines, foreign_requests,
                         trace_payloads, wrong_payloads)
from tap import Tap

# Together they fill every section, which is tested.
TRACES = ("graph_breaks", "errors_inductor", "dynamic_shapes", "draft_export", "dist2", "compiled_autograd", "provenance")
SECTIONS = ("findings", "breaks", "recompiles", "errors", "time", "stacks", "compiles", "code", "caches", "shapes",
            "ranks", "config", "health", "more")


# --- traces of PyTorch ------------------------------------------------------------------------------------------------


def test_trace(bench, name, filled):
    page = bench.page(name, bench.trace(name))
    check_page(page, trace_payloads(bench.trace(name)))
    filled |= filled_sections(page)


def filled_sections(page):
    """Sections that hold more than the words that there is nothing."""
    selectors = [f"#{name} :is(article, details, table, figure, .trie)" for name in SECTIONS]
    return {name for name, count in zip(SECTIONS, page.run("counts", selectors)) if count}


# --- hostile traces ---------------------------------------------------------------------------------------------------


def test_hostile(bench):
    folder = bench.temp / "<script>window.pwned=1<" / "script>"
    folder.mkdir(parents=True)
    texts = hostile.write(folder).all
    page = bench.page("hostile", folder, ("--artifacts", "all"))
    check_page(page, trace_payloads(folder))
    page.open()
    check_texts(page, texts)
    files = linked_files(page, "a.file")
    page.point("payloads have links to their files", len(files) > 300, len(files))
    page.empty("names of files do not leave the folder", [path for path in files if not is_inside(path, page.folder)])
    page.check("no text of the trace ran in the end", "pwned")


def check_texts(page, texts):
    """Each field of each shape is in the page, as it is: what is not shown can do no harm, and proves nothing."""
    shown = [text for text in texts.values() if text.how != "none"]
    missing = set(map(tuple, page.run("missing", [[text.shown, text.where] for text in shown])))
    fields = {}
    for text in shown:
        fields.setdefault(text.field, []).extend([text.shape] * ((text.shown, text.where) in missing))
    for field, shapes in fields.items():
        page.empty(f"shows the {field} of every shape", shapes)


def linked_files(page, selector):
    addresses = page.browser.run("return Array.from(document.querySelectorAll(arguments[0]), (a) => a.href)", selector)
    return [pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(address).path)) for address in addresses]


def is_inside(path, folder):
    return path.is_file() and folder.resolve() in path.resolve().parents


def test_hostile_name(bench):
    """A page with one file, whose name it shows. Names of files are bytes."""
    name = hostile.SHAPES["all at once"].replace("@", "1") + hostile.RIGHT_TO_LEFT
    name = name.replace("/", "").replace("'", "")  # the one cannot be in a name, the other is quoted in a command
    path, shown = bench.temp / os.fsdecode(name.encode() + b"\xff\xc3.log"), name + "\ufffd\ufffd.log"
    data = hostile.bulky(hostile.HostileWriter(hostile.Texts(), 0).everything()).data
    path.write_bytes(hostile.prefixed(data, hostile.SHAPES["all at once"] + " "))
    page = bench.page("hostile name", path)
    records = data.count(b"\nV1121 ") + 1
    page.equal("every record is read in spite of its prefix", records, page.report["totals"]["records"])
    page.open()
    check_content(page)
    check_widths(page, "closed")
    page.equal("the title is the program's", "main.py - pt2trace", bench.browser.run("return document.title"))
    page.equal("the name is shown first", shown, bench.browser.run("return document.querySelector('.facts dd').textContent"))
    page.check("the name stands in the command", "missing", [[shown, "text"]])
    check_buttons(page)
    page.quiet("while it is used")
    test_hostile_command(bench, path, shown)


def check_buttons(page):
    """Of a payload that is opened."""
    name, text = page.run("openNamed", "bytes")
    expected = hostile.BYTES.decode(errors="replace")
    page.equal("shows bytes that are no UTF-8", expected, text[:len(expected)])
    page.browser.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(page.browser.downloads))
    page.run("press", "Download")
    end = time.monotonic() + 10
    while not (found := list(page.browser.downloads.glob("*.txt"))) and time.monotonic() < end:
        time.sleep(0.05)
    page.equal("Download saves the bytes of the payload", [(f"0_0_{name}.txt", hostile.BYTES)],
               [(path.name, path.read_bytes()[:len(hostile.BYTES)]) for path in found])
    page.point("Copy says what became of it", page.run("press", "Copy") in ("Copied", "Could not copy"))
    page.run("press", "Close")
    page.equal("Close closes", [0], page.run("counts", [".payload"]))


def test_hostile_command(bench, path, shown):
    """Where a payload is left out, a command that names the file stands in its place."""
    page = bench.page("hostile command", path, ("--max-html-size", "500k"))
    check_small(page)
    commands = bench.browser.run(COMMANDS)
    page.point("the commands name the file", commands and all(shown in command for command in commands), *commands)


COMMANDS = "return Array.from(document.querySelectorAll('.where > code.command'), (e) => e.textContent)"


def test_gpu(bench):
    """What GPUs did and are, with names that are none: of a kernel, a host, a device."""
    folder = bench.temp / "gpu trace"
    (folder / "base").mkdir(parents=True)
    job = Job()
    name = "void evil<img src=x onerror=window.pwned=1>(" + "very_long_" * 50 + ")"
    job.kernel(name, 9.5, 10**9)
    (folder / "base" / "dedicated_log_torch_trace_1.log").write_bytes(job.trace.data)
    (folder / "base" / "a.activity").write_text(job.recorded())
    (folder / "base" / "b.activity").write_text(Job(pid=9).recorded())
    device = {"index": 0, "name": name, "throttled": ["power cap"], "temperature_c": 41, "power_mw": 700000, "clock_mhz": 345}
    (folder / "run.json").write_text('{"schema": "pt2trace-run",\n' + json.dumps(
        {"version": 1, "command": "x", "directory": "/x", "devices": [device], "trials": []})[1:])
    page = bench.page("gpu", folder)
    check_page(page, trace_payloads(folder / "base"))
    page.open()
    page.check("a hostile name stands in it", "missing", [[name, "text"]])
    page.equal("the section has devices, processes, kernels and gaps", [4], page.run("counts", ["#gpu table"]))


def test_experiment(bench):
    """What `pt2trace run` did, by a run.json that somebody sent: every text in it is hostile, and long."""
    folder = bench.temp / "run"
    (folder / "base").mkdir(parents=True)
    job = Job()
    job.kernel("a_kernel", 9.5, 10**9)
    (folder / "base" / "dedicated_log_torch_trace_1.log").write_bytes(job.trace.data)
    evil = "<img src=x onerror=window.pwned=1>{{x}} </pre><script>window.pwned=1</script> " + "very_long_" * 40
    trial = {"name": "base", "how": evil, "command": evil, "environment": {evil: evil}, "python": evil, "torch": evil, "end": evil,
             "status": None, "signal": 3, "wall_us": 10**18, "failed": True, "traced": True, "compiles": 10**18, "error": evil,
             "stage": evil, "gpu_us": 5, "checks": [{"what": evil, "outcome": o, "detail": evil} for o in ("same", "different", "x")],
             "changes": [{"gone": gone, "kind": evil, "text": evil} for gone in (True, False)] * 30}
    text = json.dumps({"version": 1, "question": "breaks", "command": evil, "directory": evil, "workload": evil, "program": evil,
                       "workload_file": evil, "conclusions": [evil, "$ " + evil], "notes": [evil],
                       "trials": [trial, {**trial, "name": evil, "failed": False, "end": "exited", "status": 0}]})
    (folder / "run.json").write_text('{"schema": "pt2trace-run",\n' + text[1:])
    page = bench.page("experiment", folder)
    check_page(page, trace_payloads(folder / "base"))
    page.open()
    page.equal("the section has its trials", [2], page.run("counts", ["#run tbody tr"]))
    page.check("hostile texts stand in it", "missing", [[evil.strip(), "text"]])


def test_policy(bench):
    """If an element of a trace got into the page after all, it would neither run nor fetch anything."""
    page = bench.page("policy", bench.trace("hello"))
    for html in controls.INTRUDERS:
        page.open()
        page.browser.forget()
        page.browser.run("document.querySelector('main').insertAdjacentHTML('afterbegin', arguments[0])", html)
        page.browser.run(RUN_SCRIPTS)
        refused = [line for line in page.browser.complaints() if "Content Security Policy" in line]
        page.point(f"refuses {html}", refused and not page.run("pwned"), "nothing was refused")
        page.empty(f"fetches nothing for {html}", foreign_requests(page.browser.requests(refused=False), page.url))


# No page runs a script that is added as markup, so it is created again; and what can be clicked, is.
RUN_SCRIPTS = """
for (const old of document.querySelectorAll("main > script")) {
  const script = document.createElement("script");
  for (const a of old.attributes) script.setAttribute(a.name, a.value);
  script.textContent = old.textContent;
  old.replaceWith(script);
}
for (const e of document.querySelectorAll("main > a, main > form > button")) e.click();
return new Promise((done) => setTimeout(done, 50));
"""


# --- many payloads ----------------------------------------------------------------------------------------------------


def bulky(bench):
    folder = bench.temp / "bulky"
    folder.mkdir(exist_ok=True)
    writer = hostile.bulky(hostile.HostileWriter(hostile.Texts(), 0))
    (folder / "dedicated_log_torch_trace_a.log").write_bytes(writer.data)
    return folder


def test_blocks(bench):
    """More blocks than the page keeps unpacked; forth and back."""
    folder = bulky(bench)
    page = bench.page("blocks", folder)
    page.open()
    page.point("there are several", page.run("counts", ["script[id^=block-]"])[0] > 5)
    numbers = list(range(page.run("counts", ["button.open"])[0]))
    opened = page.run("payloads", numbers + numbers[::-1])
    page.empty("payloads are those of the trace", wrong_payloads(opened, trace_payloads(folder)))
    page.quiet("when many blocks are opened")


def test_left_out(bench):
    """Pages that are too small for their payloads, which are files beside them; or for the details of compiles."""
    folder = bulky(bench)
    page = bench.page("files", folder, ("--max-html-size", "500k", "--artifacts", "overflow"))
    check_small(page)
    page.equal("says that there is no stack", [1], page.run("counts", ["#stacks > .none"]))
    paths = linked_files(page, ".artifact:not(:has(button)) a.file")
    texts = {text for payloads in trace_payloads(folder).values() for _, text in payloads}
    page.point("some payloads were left out", len(paths) >= 4, len(paths))
    wrong = [path for path in paths if not path.is_file() or path.read_text() not in texts]
    page.empty("their links lead to them", wrong)
    page = bench.page("left out", bench.trace("graph_breaks"), ("--max-html-size", "1"))
    check_small(page)
    page.point("compiles have no details", page.run("counts", ["details.compile .none > code.command"])[0] > 10)


def check_small(page):
    page.browser.width(400)
    page.open()
    check_content(page)
    page.run("openAll")
    page.check("does not scroll sideways", "sideways")
    page.quiet("when it opens")


# --- tables and the keyboard ------------------------------------------------------------------------------------------


def test_table(bench):
    """Sorting and filtering."""
    page = bench.page("table", bench.trace("graph_breaks"))
    page.open()
    found = bench.browser.run(TABLE)
    page.equal("sorted by time, longest first", sorted(found["down"], reverse=True), found["down"])
    page.equal("and the other way round", sorted(found["down"]), found["up"])
    page.equal("the header says so", ["descending", "ascending"], found["said"])
    page.equal("the filter leaves the rows that have all words", found["expected"], found["shown"])
    page.point("the filter leaves some rows and hides some", 0 < found["shown"] < len(found["down"]))
    page.quiet("when a table is sorted and filtered")


TABLE = """
const table = document.getElementById("compile-table"), header = table.tHead.rows[0].cells[3], said = [];
const rows = () => Array.from(table.tBodies[0].rows);
const press = () => {
  header.querySelector("button").click();
  said.push(header.getAttribute("aria-sort"));
  return rows().map((row) => Number(row.cells[3].dataset.sort));
};
const down = press(), up = press(), filter = document.getElementById("filter");
filter.value = "GRAPH break";
filter.dispatchEvent(new Event("input"));
const expected = rows().filter((row) => /graph/i.test(row.textContent) && /break/i.test(row.textContent)).length;
return { down, up, said, expected, shown: rows().filter((row) => row.checkVisibility()).length };
"""


def test_chart(bench):
    """The flame chart: walked with the keyboard, zoomed, searched, and for one compile."""
    page = bench.page("chart", bench.trace("recompiles"))
    page.open()
    events = page.browser.run("return document.querySelector('.flame').dataset.events.trim().split(' ').length / 6")
    whole = page.browser.run(CHART)
    page.browser.run("document.querySelector('.chart canvas').focus()")
    page.browser.press(DOWN, DOWN)
    page.point("arrow keys walk to an event inside", said(page).startswith("entire_frame_compile: "), said(page))
    page.browser.press(RIGHT)
    page.point("and to the next of its row", "in [0/0]" not in said(page), said(page))
    page.browser.press(webdriver.ENTER)
    page.point("Enter zooms to it", page.browser.run(CHART) != whole)
    page.browser.press("0")
    page.browser.press(LEFT, UP, UP)
    page.equal("0 shows all again, and the first is chosen", ["dynamo", "0/0"], re.findall(r"^\w+|\d+/\d+", said(page)))
    page.browser.run("document.querySelector('.chart input').focus()")
    page.browser.press(*"DYNAMO")
    found = re.match(r"(\d+) of (\d+) events", said(page))
    page.point("the search counts what it finds", found and 0 < int(found[1]) < int(found[2]) == events, said(page))
    page.browser.run("const c = document.querySelector('details.compile[id=c-0_1]'); c.open = true;")
    page.run("appears", "[id=c-0_1] .timeline")
    page.browser.run("document.querySelector('[id=c-0_1] .timeline').open = true")
    page.run("appears", "[id=c-0_1] canvas")
    page.equal("the entry of a compile has a chart of its own", [1], page.run("counts", ["[id=c-0_1] .timeline canvas"]))
    page.quiet("when the chart is used")


UP, DOWN, LEFT, RIGHT = "\ue013", "\ue015", "\ue012", "\ue014"
CHART = "return document.querySelector('.chart canvas').toDataURL()"


def said(page):
    return page.browser.run("return document.querySelector('.chart .status').textContent")


def test_ranks(bench):
    """Ranks that did the same have one row and one entry; the charts of other processes are chosen."""
    page = bench.page("ranks", bench.trace("ranks_same"))
    page.open()
    rows = page.browser.run("return [...document.querySelectorAll('#compile-table tbody .ranks')].map((e) => e.textContent)")
    page.equal("each compile has one row for the four ranks", {"same on ranks 0-3"}, set(rows))
    page.browser.run("location.hash = 'c-0_0-p3-e0'")
    page.run("appears", "details.repeated[open] > .body > details.compile[id=c-0_0-p3-e0][open]")
    shown = "return [...document.querySelectorAll('figure.flame')].filter((f) => f.checkVisibility()).map((f) => " \
            "f.querySelector('figcaption').textContent.split(':')[0])"
    choices = page.browser.run("return [...document.querySelectorAll('#time select option')].map((o) => o.textContent)")
    page.equal("every process can be chosen", [f"rank {n}" for n in range(4)], sorted(c.split(",")[0] for c in choices))
    page.equal("one chart is in sight", choices[:1], page.browser.run(shown))
    page.browser.run("const s = document.querySelector('#time select'); s.selectedIndex = 2; s.dispatchEvent(new Event('change'))")
    page.equal("which belongs to the chosen process", choices[2:3], page.browser.run(shown))
    page.quiet("when ranks are looked at")


def find(page, text):
    """Types into the search, which waits for the end of the word."""
    page.browser.press("/", *text)
    page.browser.run("return new Promise((done) => setTimeout(done, 400))")


def test_search(bench):
    """Everything in the page is found, and what is in the payloads when it is asked for."""
    page = bench.page("search", bench.trace("recompiles"))
    page.open()
    find(page, "size mismatch")
    first = page.browser.run("return document.querySelector('.results ol').textContent")
    page.point("a finding is found by words in it", first.startswith("Findings") and "size mismatch" in first, first)
    page.browser.press(webdriver.ENTER)
    page.point("Enter leads to it", page.browser.run("return document.activeElement.matches('.finding')"))
    page.equal("and puts it into the address", page.browser.run("return document.activeElement.id"),
               page.browser.run("return location.hash.slice(1)"))
    find(page, "def forward(self")
    page.browser.run("document.querySelector('.results .more').click()")
    page.run("appears", ".results li button:not(.more)")
    page.browser.run("return new Promise((done) => setTimeout(done, 400))")
    page.point("a line of a payload is found",
               "_graph, " in page.browser.run("return document.querySelector('.results button').textContent"))
    page.browser.run("document.querySelector('.results button').click()")
    page.run("appears", ".payload")
    page.point("and is where the link leads", re.search(r":L\d+$", page.browser.run("return location.hash")))
    page.browser.run("document.activeElement.blur()")
    find(page, "no such text")
    page.point("what is nowhere is not found", "Nothing" in page.browser.run(
        "return document.querySelector('.results p').textContent"))
    page.quiet("when the report is searched")


def test_filters(bench):
    """What a table is filtered by stands in the address; trees fold and are filtered."""
    page = bench.page("filters", bench.trace("graph_breaks"))
    page.open()
    page.browser.run("const f = document.getElementById('filter'); f.value = 'graph break'; "
                     "f.dispatchEvent(new Event('input'))")
    hidden = page.run("counts", ["#compile-table tr[hidden]"])
    address = page.browser.run("return location.hash")
    page.equal("the filter is in the address", "#compiles?filter=graph+break", address)
    page.open()
    page.run("follow", [address])
    page.equal("which sets it again", hidden, page.run("counts", ["#compile-table tr[hidden]"]))
    rows = page.run("counts", [".trie > li:not([hidden])"])[0]
    page.browser.run("const s = document.querySelector('#stacks select'); s.value = '.graph_break'; "
                     "s.dispatchEvent(new Event('change'))")
    shown = page.browser.run("return [...document.querySelectorAll('.trie > li:not([hidden])')].map((e) => "
                             "Boolean(e.querySelector('.id')) && !e.querySelector('.graph_break'))")
    page.point("the stacks are filtered by status", 0 < len(shown) < rows and not any(shown), shown)
    page.browser.run("const s = document.querySelector('#stacks select'); s.value = ''; "
                     "s.dispatchEvent(new Event('change')); document.querySelector('.trie .fold').click()")
    page.point("a fold hides what is in it", 0 < page.run("counts", [".trie > li[hidden]"])[0] < rows)
    page.quiet("when trees are folded")


FIRST_SCREEN = """
const inside = (e) => e && e.getBoundingClientRect().bottom <= innerHeight && e.getBoundingClientRect().top >= 0;
const verdict = document.querySelector("article.finding");
return [inside(verdict.querySelector("h3")), inside(verdict.querySelector(".meta")), inside(verdict.querySelector(".fix")),
        inside(verdict.querySelector(".paste-box")), inside(verdict.querySelector(".paste-box button"))];
"""
HEADINGS = """
return [...document.querySelectorAll("nav > a")].map((a) => [a.firstChild.data.trim(),
  document.getElementById(a.hash.slice(1)).querySelector("h2").textContent.trim()]);
"""
LISTED = "return [...document.querySelectorAll('.finding')].filter((f) => f.checkVisibility()).map((f) => f.dataset.severity)"


def test_findings(bench):
    """The worst finding stands whole on the first screen, the others are lines; all lead to what they rest on, and back."""
    page = bench.page("findings", bench.trace("recompile_limit"))
    for width in (1440, 400):
        page.browser.width(width)
        page.open()
        page.equal(f"title, cost, what to do and the text to paste are on the first screen at {width} pixels", [True] * 5,
                   page.browser.run(FIRST_SCREEN))
    titles = page.browser.run(HEADINGS)
    page.equal("the navigation names sections as their headings do", [title for _, title in titles], [link for link, _ in titles])
    page.equal("one finding is open", [1, 0], page.run("counts", ["article.finding", "details.finding[open]"]))
    page.browser.run("document.querySelector('.finding .evidence a[href^=\"#again\"]').click()")
    page.run("appears", "#recompiles details.chain[open] .back a")
    page.browser.run("document.querySelector('#recompiles details.chain[open] .back a').click()")
    page.point("a finding leads to its evidence, which leads back", "#finding-" in page.browser.run("return location.hash"))
    page.quiet("when findings are followed")


def test_many_findings(bench):
    """Beyond the first eight they are grouped by kind; chips choose, and the address keeps what is chosen."""
    page = bench.page("many findings", bench.trace("graph_breaks"))
    page.open()
    hidden = page.browser.run("return [...document.querySelectorAll('details .finding')].map((f) => f.id)")
    page.point("some findings are in groups or in others", hidden)
    page.run("follow", ["#" + hidden[-1]])
    page.check("a link opens what is around a finding", "revealed", hidden[-1])
    page.open()
    chip = "[...document.querySelectorAll('.chips button')].find((b) => b.textContent.startsWith('medium '))"
    page.browser.run(chip + ".click()")
    address, chosen = page.browser.run("return location.hash"), page.browser.run(LISTED)
    page.equal("the address says what is chosen", "#findings?severity=medium", address)
    page.point("others are hidden", "medium" in chosen and chosen.count("medium") >= len(chosen) / 2, chosen)
    page.open(address)
    page.equal("which chooses it again", [chosen, "true"], [page.browser.run(LISTED), page.browser.run(
        f"return {chip}.getAttribute('aria-pressed')")])
    page.browser.run(chip + ".click()")
    page.equal("and another click takes it back", "#findings", page.browser.run("return location.hash"))
    page.browser.run("dispatchEvent(new Event('beforeprint'))")
    page.equal("on paper no finding is closed", [0], page.run("counts", [
        ":is(.finding, .of-kind, #breaks > details, #recompiles > details):not([open], article)"]))
    page.browser.run("dispatchEvent(new Event('afterprint'))")
    page.point("and afterwards they are again", page.run("counts", ["details.finding:not([open])"])[0] > 0)
    page.quiet("when findings are filtered")


COPIED = """
let text = null;
Object.defineProperty(navigator, "clipboard", { value: { writeText: async (t) => { text = t; } }, configurable: true });
const button = [...document.querySelectorAll(".finding .acts button")][0];
button.click();
return new Promise((done) => setTimeout(() => done([text, button.textContent]), 50));
"""


def test_copy_finding(bench):
    """A finding as Markdown; what a trace puts into it stays text."""
    page = bench.page("copy", bench.trace("recompile_limit"))
    page.open()
    text, said_then = page.browser.run(COPIED)
    title = page.browser.run("return document.querySelector('article.finding h3').lastChild.data.trim()")
    page.equal("the button says that it did", "Copied", said_then)
    page.point("it begins with the title", text.startswith("### ") and title[-12:] in text.replace("\\", ""), text)
    page.point("it holds what to do and the text to paste", "**What to do:**" in text and "```python\n" in text, text)
    paste = page.browser.run("return document.querySelector('article.finding pre.paste').textContent")
    page.point("as it is", paste in text, paste, text)
    page = bench.page("copy hostile", bench.trace("graph_breaks"))
    page.open()
    page.browser.run("document.querySelector('article.finding h3').append(' <img src=x> @all [a](b) `c`')")
    text, _ = page.browser.run(COPIED)
    page.point("no text of a trace is taken for markup", "<img" not in text.replace("\\<img", "") and "\\@all" in text
               and "\\[a\\]" in text, text.splitlines()[0])


def test_keys(bench):
    page = bench.page("keys", bench.trace("graph_breaks"))
    page.open()
    page.browser.press("n", "n")
    page.equal("n leads from entry to entry", page.browser.run("return document.querySelectorAll('.finding')[1].id"),
               page.browser.run(FINDING))
    page.browser.press("p")
    page.equal("p leads back", page.browser.run("return document.querySelector('.finding').id"),
               page.browser.run(FINDING))
    page.browser.press("?")
    page.equal("? lists the keys", [1], page.run("counts", ["dialog[open]"]))
    page.browser.run("document.querySelector('dialog input').click(); document.querySelector('dialog').close()")
    page.browser.press("/")
    page.point("they can be switched off", page.browser.run("return document.activeElement.id") != "search")
    page.quiet("when keys are pressed")


FINDING = "return document.activeElement.closest('.finding')?.id ?? ''"
ESCAPE = "\ue00c"
FRAME = "return new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))"
KEYS_A_FRAME = 4  # a person who holds the key down


def test_keyboard(bench):
    page = bench.page("keyboard", bench.trace("hello"))
    page.open()
    page.run("openAll")
    count = page.run("watchFocus")
    for _ in range((count + 60) // KEYS_A_FRAME + 1):  # what scrolls gets the focus too, once it is on the screen
        page.browser.press(*[webdriver.TAB] * KEYS_A_FRAME)
        page.browser.run(FRAME)
    page.check("reaches every control, and shows where it is", "unreached")
    page.open()
    page.browser.press("/", *"hello")
    page.equal("/ leads to the search", "search", page.browser.run("return document.activeElement.id"))
    page.run("appears", ".results li")
    page.browser.press(DOWN)
    page.equal("Down leads to what was found", 1, page.browser.run("return document.activeElement.closest('.results li') ? 1 : 0"))
    page.browser.press(ESCAPE)
    page.equal("Escape closes it", [1], page.run("counts", [".results[hidden]"]))
    check_keyboard_payload(page)


def check_keyboard_payload(page):
    page.open()
    page.run("openAll")
    steps = [page.browser.run("document.querySelector('button.open').focus(); " + FOCUSED)]
    page.browser.press(webdriver.ENTER)
    page.run("appears", ".payload")
    while steps[-1] != "Close" and len(steps) < 10:
        page.browser.press(webdriver.TAB)
        steps.append(page.browser.run(FOCUSED))
    page.empty("Tab leads through the buttons of a payload", {"Copy", "Download", "Close"} - {*steps})
    page.browser.press(webdriver.ENTER)
    page.equal("Close leads back to where the payload was opened", steps[0], page.browser.run(FOCUSED))
    page.equal("it is closed", [0], page.run("counts", [".payload"]))


FOCUSED = "return document.activeElement.textContent;"


# --- the checks themselves --------------------------------------------------------------------------------------------


class Control(Page):
    """A page that holds a given text, to try the checks on."""

    def __init__(self, bench, name):
        self.path = bench.temp / name / "index.html"
        self.path.parent.mkdir()
        super().__init__(bench, name, self.path.parent)

    def show(self, html):
        self.path.write_text(html, encoding="utf-8")
        self.browser.forget()
        self.open()

    def show_part(self, html):
        self.show(controls.GOOD % html)

    def sees(self, what, complaints):
        self.point(what.encode("ascii", "backslashreplace").decode(), complaints, "the check found nothing")


ELEMENTS = "return Array.from(new Set(Array.from(document.querySelectorAll('*'), (e) => e.tagName.toLowerCase())))"


def test_controls(bench):
    page = Control(bench, "control")
    page.browser.width(800)
    page.show_part("")
    for check, arguments in controls.CHECKS.items():
        page.check(f"{check} finds nothing where nothing is wrong", check, *arguments)
    page.quiet("where nothing is wrong")
    for check, html in controls.BAD:
        page.show_part(html)
        page.sees(f"{check} sees {html[:80]}", page.run(check, *controls.CHECKS[check]))
    for html in controls.UNSEEN:
        page.show_part(html)
        page.sees(f"missing misses {html}", page.run("missing", [["a text", "text"]]))
    page.show_part("<div hidden><p id='x'>x</p></div>")
    page.sees("revealed sees what stays hidden", page.run("revealed", "x"))


def test_foreign_controls(bench):
    page = Control(bench, "foreign control")
    page.show_part("")
    allowed = {name: controls.ATTRIBUTES for name in page.browser.run(ELEMENTS)}
    page.check("finds nothing where nothing is wrong", "foreign", allowed, "")
    for html in controls.FOREIGN:
        page.show_part(html)
        page.sees(f"sees {html}", page.run("foreign", {**allowed, "script": ["type", "id"]}, "1"))


def test_log_controls(bench):
    page = Control(bench, "log control")
    for html in controls.LOUD:
        page.show_part(html)
        page.sees(f"a complaint about {html[:120]}", page.browser.complaints())
    for html in controls.FETCHING:
        page.show_part(html)
        page.sees(f"a request of {html}", foreign_requests(page.browser.requests(refused=False), page.url))


def test_script_controls(bench):
    page = Control(bench, "script control")
    page.show_part("<p id='x'>x</p><script>document.getElementById('x').textContent = 'made by a script'</script>")
    made = page.run("readable")
    page.browser.scripts(False)
    page.open()
    page.sees("a text that needs a script", list(different_lines(made, page.run("readable"))))
    page.browser.scripts(True)


def test_focus_controls(bench):
    page = Control(bench, "focus control")
    page.show_part("<style>:focus { outline: none }</style>")
    page.run("watchFocus")
    page.browser.press(webdriver.TAB)
    complaints = page.run("unreached")
    page.sees("a control that is not reached", [line for line in complaints if line.startswith("not reached")])
    page.sees("a focus that does not show", [line for line in complaints if line.startswith("the focus")])


def test_sabotage(bench):
    """A report that was changed after it was written."""
    html = (bench.page("to be changed", bench.trace("hello")).folder / "index.html").read_text(encoding="utf-8")
    page, expected = Control(bench, "changed"), trace_payloads(bench.trace("hello"))
    for what, (pattern, other) in controls.SABOTAGE.items():
        changed = re.sub(pattern, other, html, count=1, flags=re.DOTALL)
        page.show(changed)
        complaints = page.browser.complaints()
        if not complaints:
            opened = page.run("payloads", list(range(page.run("counts", ["button.open"])[0])))
            complaints = list(wrong_payloads(opened, expected))
        page.sees(what, changed != html and complaints)


TESTS = (test_hostile, test_hostile_name, test_gpu, test_experiment, test_policy, test_blocks, test_left_out, test_table, test_chart,
         test_ranks, test_search, test_filters, test_findings, test_many_findings, test_copy_finding, test_keys, test_keyboard,
         test_controls, test_foreign_controls, test_log_controls, test_script_controls, test_focus_controls,
         test_sabotage, *page_code.TESTS)


def main(pt2trace, source, *names):
    tap, filled = Tap(), set()
    if webdriver.missing():
        why = f"{' and '.join(webdriver.missing())} not installed: tools/setup --tests"
        print(f"test_browser.py: NOTHING WAS TESTED, {why}", file=sys.stderr)
        tap.skip("the report in a browser", why)
        return tap.end()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the browser is ended too
    paths = [pathlib.Path(path).resolve() for path in (pt2trace, source)]
    with tempfile.TemporaryDirectory(prefix="pt2trace-browser-") as temp, webdriver.Browser() as browser:
        bench = Bench(tap, browser, *paths, pathlib.Path(temp))
        for name in [name for name in names if not name.startswith("test_")] if names else TRACES:
            bench.attempt(test_trace, name, filled)
        if not names:
            tap.empty("every section is filled by one of the traces", sorted({*SECTIONS} - filled))
        for test in TESTS:
            if not names or test.__name__ in names:
                bench.attempt(test)
    tap.equal("no process is left", [], browser.left())
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
