#!/usr/bin/env python3
"""The HTML report in a browser: that nothing of a trace runs or is fetched, that everything is there with and without scripts,
and that it can be read, in any width, in light and dark, and with the keyboard.

    test_browser.py PT2TRACE SOURCE [NAME...]

SOURCE is the top of the repository; NAME restricts the traces of testdata. Needs chromedriver and chromium. Prints TAP."""

import json
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import urllib.parse
from collections import Counter
from html.parser import HTMLParser

import controls
import hostile
import reference
import webdriver
from tap import Tap, report_of, trace_folders

TRACES = ("graph_breaks", "recompile_limit", "errors", "errors_inductor", "caches_warm", "dynamic_shapes", "draft_export", "dist2",
          "compiled_autograd", "killed", "provenance", "graph_breaks-2.3.1")
WIDTHS = (400, 800, 1400)
PAYLOADS, ANCHORS = 50, 25  # of each page; a browser refuses to follow hundreds of links in a few seconds
CHECKS = (pathlib.Path(__file__).parent / "page_checks.js").read_text(encoding="utf-8")
ENTRIES = {  # in the page, and the list of report.json that they show
    "article.finding": "findings",
    "#breaks > details": "graph_breaks",
    "#errors > details": "errors",
    "#compiles > details.compile:not([id^=c-none])": "compiles",
    "#compile-table > tbody > tr:not(:has([href^='#c-none']))": "compiles",
    "#caches details tbody > tr": "caches",
    "#ranks tbody > tr": "processes",
}
SECTIONS = ("findings", "breaks", "recompiles", "errors", "time", "stacks", "compiles", "code", "caches", "shapes", "ranks", "config",
            "health", "more")


# --- what the templates hold ----------------------------------------------------------------------------------------------


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = {"html": set(), "head": set(), "body": set(), "tbody": set()}

    def handle_starttag(self, tag, attributes):
        # innerHTML, and so a parser of HTML, keeps the case of SVG; Python's does not
        self.found.setdefault(tag, set()).update({"viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio"}.get(name, name)
                                                 for name, _ in attributes)


MADE_BY_SCRIPT = """<button type class aria-expanded></button><div class tabindex role aria-label hidden><pre class aria-hidden></pre></div>
<div class="filter"><label for></label><input type placeholder id><span class aria-live></span></div><p class></p><b></b>
<table><tr hidden><th aria-sort></th></tr></table><details open></details>"""


def template_tags(source):
    """{element: [attributes]} that a page may have: those of the templates, and those that the page's script makes."""
    tags = Tags()
    for path in sorted((source / "templates").glob("*.mustache")):
        tags.feed(re.sub(r"\{\{.*?\}\}+", "", path.read_text(encoding="utf-8")))
    tags.feed(MADE_BY_SCRIPT)
    return {name: sorted(attributes) for name, attributes in tags.found.items()}


# --- one page -------------------------------------------------------------------------------------------------------------


class Page:
    """A report in the browser, and what is known of it from elsewhere."""

    def __init__(self, tap, browser, name, folder, report=None):
        self.tap, self.browser, self.name, self.report = tap, browser, name, report
        self.url = (folder / "index.html").resolve().as_uri()
        browser.forget()

    def open(self, fragment=""):
        if fragment:
            self.browser.open("about:blank")  # else the fragment would be followed in the page that is open already
        self.browser.open(self.url + fragment)

    def run(self, check, *arguments):
        return self.browser.run(CHECKS, check, *arguments)

    def check(self, what, check, *arguments):
        return self.tap.empty(f"{self.name}: {what}", self.run(check, *arguments))

    def quiet(self, when):
        """Nothing was said on the console, and nothing was fetched but the page itself."""
        self.tap.empty(f"{self.name}: no error, warning or violation {when}", self.browser.complaints())
        self.tap.empty(f"{self.name}: nothing is fetched {when}", foreign_requests(self.browser.requests(), self.url))


def foreign_requests(requests, url):
    # data: needs no network; the page has an empty icon, so that no browser asks for one
    return [request for request in requests if request.partition("#")[0] != url and request not in ("data:,", "about:blank")]


def check_content(page, tags, script):
    page.check("holds no element, attribute or script but those of the templates", "foreign", tags, script)
    page.check("no text of the trace ran", "pwned")
    page.check("ids are unique and links lead somewhere safe", "links")
    page.check("headings, landmarks, language and title", "structure")
    page.check("images have texts", "alternatives")
    page.check("tables have headers", "tables")
    page.check("lists have items", "lists")
    page.check("texts turn only their own direction", "directions")
    page.check("controls have names and can be reached", "controls")


def check_entries(page):
    """Everything that report.json lists has its entry."""
    if not page.report:
        return
    lists = {**page.report, "processes": [None] * page.report["totals"]["processes"]}
    expected = {selector: len(lists[name]) for selector, name in ENTRIES.items()}
    page.tap.equal(f"{page.name}: entries", expected, dict(zip(ENTRIES, page.run("counts", list(ENTRIES)))))
    steps = page.run("counts", ["#recompiles > details > ol > li:has(.arrow)"])
    page.tap.equal(f"{page.name}: steps of recompiles", [len(page.report["recompiles"])], steps)


def check_links(page):
    anchors = page.run("anchors")
    chosen = anchors[:: max(1, -(-len(anchors) // ANCHORS))]
    page.check(f"{len(chosen)} links open what they lead to", "deepLinks", chosen)
    entries = [anchor for anchor in anchors if anchor.startswith("c-")] or ["findings"]
    page.open("#" + entries[-1])
    page.check("a link from outside opens what it leads to", "revealed", entries[-1])
    page.run("follow", ["#%E0%A4%A", "#block-0", "#", "#gone"])  # the first is cut off in the middle of a character


def trace_payloads(folder):
    """{compile id: Counter of (name, text)}."""
    found = {}
    for path in filter(pathlib.Path.is_file, folder.rglob("*")):
        for record in reference.read(path)[0]:
            if record.json is not None:
                text = (record.payload or b"").decode("utf-8", "replace")
                found.setdefault(record.id, Counter())[record.name or record.kind, text] += 1
    return found


def compile_id(anchor):
    """What the address of an entry stands for: c-0_1, c-a3_0_1-p0-e1."""
    match = re.fullmatch(r"c-(.*?)(?:-p\d+-e\d+)?", anchor)
    return None if not match or match[1] == "none" else match[1].replace("_", "/").replace("a", "!")


def wrong_payloads(opened, expected):
    for anchor, name, text, children, expanded in opened:
        if text is None:
            yield f"{anchor} {name}: did not open, or did not close"
        elif anchor and not expected.get(compile_id(anchor), {}).get((name, text)):
            yield f"{anchor} {name}: not what the trace holds: {text[:80]!r}"
        elif not anchor and not any((name, text) in texts for texts in expected.values()):
            yield f"{name}: not what the trace holds: {text[:80]!r}"
        elif children or expanded != "true":
            yield f"{anchor} {name}: {children} elements in it, aria-expanded={expanded}"


def check_payloads(page, expected):
    count = page.run("counts", ["button.open"])[0]
    numbers = list(range(0, count, max(1, -(-count // PAYLOADS))))
    opened = page.run("payloads", numbers)
    page.tap.empty(f"{page.name}: {len(numbers)} payloads open and are those of the trace", list(wrong_payloads(opened, expected)))
    page.tap.point(f"{page.name}: it has payloads to open", len(opened) == len(numbers) > 0, f"{len(opened)} of {count}")
    page.check("opened payloads are text", "pwned")


def check_widths(page, how):
    for width in WIDTHS:
        page.browser.width(width)
        page.check(f"does not scroll sideways at {width} pixels, {how}", "sideways")


def check_colours(page, how):
    for scheme in ("dark", "light"):
        page.browser.scheme(scheme)
        page.check(f"contrast of texts, {scheme}, {how}", "contrast")


def different_lines(one, other):
    one, other = one.splitlines(), other.splitlines()
    if len(one) != len(other):
        yield f"{len(one)} lines with scripts, {len(other)} without"
    for mine, theirs in zip(one, other):
        if mine != theirs:
            yield f"with {mine[:100]!r}, without {theirs[:100]!r}"


def check_without_script(page, readable):
    page.browser.scripts(False)
    try:
        page.open()
        page.tap.equal(f"{page.name}: the script did not run", [0, 0], page.run("counts", [".filter", "th > button"]))
        page.tap.empty(f"{page.name}: reads the same without scripts", list(different_lines(readable, page.run("readable"))))
    finally:
        page.browser.scripts(True)


def check_page(page, tags, script, expected):
    page.open()
    check_content(page, tags, script)
    check_entries(page)
    page.quiet("when it opens")
    check_widths(page, "closed")
    check_payloads(page, expected)
    readable = page.run("readable")
    page.check("opens a payload", "openOne")
    check_widths(page, "everything open")
    check_colours(page, "everything open")
    page.tap.point(f"{page.name}: has texts of several styles", page.run("textStyles") >= 5)
    check_links(page)
    check_without_script(page, readable)
    page.quiet("while it is used")


# --- single pages ---------------------------------------------------------------------------------------------------------


def test_hostile(tap, browser, pt2trace, temp, tags, script):
    folder = temp / "<script>window.pwned=1<" / "script>"
    folder.mkdir(parents=True)
    texts = hostile.write(folder).all
    report = report_of(pt2trace, temp / "hostile", folder)
    page = Page(tap, browser, "hostile", temp / "hostile", report)
    check_page(page, tags, script, trace_payloads(folder))
    page.open()
    check_texts(page, texts)
    page.check("no text of the trace ran in the end", "pwned")


def check_texts(page, texts):
    """Each field of each shape is in the page, as it is: what is not shown could not do harm, and would prove nothing."""
    shown = [text for text in texts.values() if text.how != "none"]
    missing = set(map(tuple, page.run("missing", [[text.shown, text.where] for text in shown])))
    fields = {}
    for text in shown:
        fields.setdefault(text.field, []).extend([text.shape] * ((text.shown, text.where) in missing))
    for field, shapes in fields.items():
        page.tap.empty(f"{page.name}: shows the {field} of every shape", shapes)


def test_keyboard(tap, browser, pt2trace, source, temp):
    report_of(pt2trace, temp / "keyboard", source / "testdata" / "hello" / "trace")
    page = Page(tap, browser, "keyboard", temp / "keyboard")
    page.open()
    page.run("openAll")
    count = page.run("watchFocus")
    browser.press(*[webdriver.TAB] * (count + 60))  # what scrolls gets the focus too
    page.check("reaches every control, and shows where it is", "unreached")
    page.open()
    browser.press("/")
    browser.press(*"hell")
    rows = browser.run("return [document.activeElement.id, document.querySelectorAll('#compile-table tbody tr[hidden]').length]")
    tap.equal("keyboard: / leads to the filter, and what is typed then filters", ["filter", 1], rows)


def test_table(tap, browser, pt2trace, source, temp):
    """Sorting and filtering."""
    report_of(pt2trace, temp / "table", source / "testdata" / "graph_breaks" / "trace")
    page = Page(tap, browser, "table", temp / "table")
    page.open()
    found = browser.run(TABLE)
    tap.point("table: sorted by time, longest first", found["down"] == sorted(found["down"], reverse=True) and found["down"][0] > 0)
    tap.equal("table: and the other way round", sorted(found["down"]), found["up"])
    tap.equal("table: the header says so", ["descending", "ascending"], found["said"])
    tap.equal("table: the filter leaves the rows that have all words", found["expected"], found["shown"])
    tap.point("table: the filter leaves some rows and hides some", 0 < found["shown"] < len(found["down"]))
    page.quiet("when a table is sorted and filtered")


TABLE = """
const table = document.getElementById("compile-table"), header = table.tHead.rows[0].cells[3], said = [];
const rows = () => Array.from(table.tBodies[0].rows), times = () => rows().map((row) => Number(row.cells[3].dataset.sort));
const press = () => { header.querySelector("button").click(); said.push(header.getAttribute("aria-sort")); return times(); };
const down = press(), up = press(), filter = document.getElementById("filter");
filter.value = "GRAPH break";
filter.dispatchEvent(new Event("input"));
const expected = rows().filter((row) => /graph/i.test(row.textContent) && /break/i.test(row.textContent)).length;
return { down, up, said, expected, shown: rows().filter((row) => row.checkVisibility()).length };
"""


def test_blocks(tap, browser, pt2trace, temp):
    """More blocks than the page keeps unpacked; forth and back."""
    folder = temp / "bulky"
    folder.mkdir()
    (folder / "dedicated_log_torch_trace_a.log").write_bytes(hostile.bulky(hostile.HostileWriter(hostile.Texts(), 0)).data)
    report_of(pt2trace, temp / "blocks", folder)
    page = Page(tap, browser, "blocks", temp / "blocks")
    page.open()
    tap.point("blocks: there are several", page.run("counts", ["script[id^=block-]"])[0] > 5)
    numbers = list(range(page.run("counts", ["button.open"])[0]))
    opened = page.run("payloads", numbers + numbers[::-1])
    tap.empty("blocks: payloads are those of the trace", list(wrong_payloads(opened, trace_payloads(folder))))
    page.quiet("when many blocks are opened")


def test_left_out(tap, browser, pt2trace, source, temp, tags, script):
    """A page that is too small for its payloads, which are files beside it."""
    folder = temp / "left out"
    report_of(pt2trace, folder, source / "testdata" / "graph_breaks" / "trace", options=("--max-html-size", "1", "--artifacts", "all"))
    page = Page(tap, browser, "left out", folder)
    browser.width(400)
    page.open()
    check_content(page, tags, script)
    files = browser.run("return Array.from(document.querySelectorAll('a.file'), (a) => a.href)")
    paths = [pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(file).path)) for file in files]
    tap.point("left out: payloads have links to their files", len(paths) > 50, len(paths))
    tap.empty("left out: links lead to files", [path for path in paths if not path.is_file() or folder.resolve() not in path.parents])
    page.run("openAll")
    page.check("does not scroll sideways", "sideways")
    page.quiet("when it opens")


def test_sections(tap, filled):
    tap.equal("every section is filled by one of the traces", [], [name for name in SECTIONS if name not in filled])


def filled_sections(page):
    """Sections that hold more than the words that there is nothing."""
    selectors = [f"#{name} :is(article, details, table, figure, .trie)" for name in SECTIONS]
    return {name for name, count in zip(SECTIONS, page.run("counts", selectors)) if count}


def test_traces(tap, browser, pt2trace, source, temp, names, tags, script):
    filled = set()
    for name in names:
        folder = source / "testdata" / name / "trace"
        page = Page(tap, browser, name, temp / name, report_of(pt2trace, temp / name, folder))
        check_page(page, tags, script, trace_payloads(folder))
        filled |= filled_sections(page)
    return filled


def main(pt2trace, source, *names):
    tap, pt2trace, source = Tap(), pathlib.Path(pt2trace).resolve(), pathlib.Path(source).resolve()
    if webdriver.missing():
        why = f"{' and '.join(webdriver.missing())} not installed: tools/setup --tests"
        print(f"test_browser.py: NOTHING WAS TESTED, {why}", file=sys.stderr)
        tap.skip("the report in a browser", why)
        return tap.end()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the browser is ended too
    tags, script = template_tags(source), (source / "templates" / "report.js").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="pt2trace-browser-") as temp, webdriver.Browser() as browser:
        temp = pathlib.Path(temp)
        filled = test_traces(tap, browser, pt2trace, source, temp, names or TRACES, tags, script)
        if not names:
            test_sections(tap, filled)
            test_hostile(tap, browser, pt2trace, temp, tags, script)
            test_blocks(tap, browser, pt2trace, temp)
            test_left_out(tap, browser, pt2trace, source, temp, tags, script)
            test_table(tap, browser, pt2trace, source, temp)
            test_keyboard(tap, browser, pt2trace, source, temp)
    tap.equal("no process is left", [], browser.left())
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
