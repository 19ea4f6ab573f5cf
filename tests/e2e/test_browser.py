#!/usr/bin/env python3
"""The HTML report in a browser: that nothing of a trace runs or is fetched, that everything is there with and without scripts,
and that it can be read, in any width, in light and dark, and with the keyboard.

    test_browser.py PT2TRACE SOURCE [NAME...]

SOURCE is the top of the repository; NAME restricts the traces of testdata. Needs chromedriver and chromium. Prints TAP."""

import os
import pathlib
import re
import signal
import sys
import tempfile
import time
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
    # The browser's own pages come from itself; the report has an empty icon, so that no browser asks for one.
    own = ("data:,", "about:blank", "chrome:")
    return [request for request in requests if request.partition("#")[0] != url and not request.startswith(own)]


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
        page.check(f"no label is broken at {width} pixels, {how}", "brokenWords")


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
    report = report_of(pt2trace, temp / "hostile", folder, options=("--artifacts", "all"))
    page = Page(tap, browser, "hostile", temp / "hostile", report)
    check_page(page, tags, script, trace_payloads(folder))
    page.open()
    check_texts(page, texts)
    files = linked_files(browser, "a.file")
    tap.point("hostile: payloads have links to their files", len(files) > 300, len(files))
    tap.empty("hostile: names of files do not leave the folder", [path for path in files if not is_inside(path, temp / "hostile")])
    page.check("no text of the trace ran in the end", "pwned")


def linked_files(browser, selector):
    addresses = browser.run("return Array.from(document.querySelectorAll(arguments[0]), (a) => a.href)", selector)
    return [pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(address).path)) for address in addresses]


def is_inside(path, folder):
    return path.is_file() and folder.resolve() in path.resolve().parents


def test_hostile_name(tap, browser, pt2trace, temp, tags, script):
    """The only file names the page; a name is bytes."""
    name = hostile.SHAPES["all at once"].replace("/", "").replace("@", "1") + hostile.RIGHT_TO_LEFT
    path = temp / os.fsdecode(name.encode() + b"\xff\xc3.log")
    data = hostile.bulky(hostile.HostileWriter(hostile.Texts(), 0).everything()).data
    path.write_bytes(hostile.prefixed(data, hostile.SHAPES["all at once"] + " "))
    report = report_of(pt2trace, temp / "hostile name", path)
    tap.equal("hostile name: every record is read in spite of its prefix", data.count(b"\nV1121 ") + 1, report["totals"]["records"])
    page = Page(tap, browser, "hostile name", temp / "hostile name")
    page.open()
    check_content(page, tags, script)
    check_widths(page, "closed")
    shown = name + "\ufffd\ufffd.log"
    titles = browser.run("return [document.title, document.querySelector('h1').textContent]")
    tap.equal("hostile name: is the title", [shown + " - pt2trace", shown], titles)
    tap.empty("hostile name: stands in the command", page.run("missing", [[shown, "text"]]))
    test_buttons(page)
    page.quiet("while it is used")


def test_buttons(page):
    """Of an opened payload."""
    name, text = page.run("openNamed", "bytes")
    page.browser.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(page.browser.downloads))
    page.run("press", "Download")
    end = time.monotonic() + 10
    while not (found := list(page.browser.downloads.glob("*.txt"))) and time.monotonic() < end:
        time.sleep(0.05)
    page.tap.equal(f"{page.name}: Download saves the payload", [("bytes.txt", hostile.BYTES)],
                   [(path.name, path.read_bytes()[:len(hostile.BYTES)]) for path in found])
    page.tap.point(f"{page.name}: Copy says what became of it", page.run("press", "Copy") in ("Copied", "Could not copy"))
    page.run("press", "Close")
    page.tap.equal(f"{page.name}: Close closes", [0], page.run("counts", [".payload"]))


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
    test_keyboard_payload(page)


def test_keyboard_payload(page):
    page.open()
    page.run("openAll")
    steps = [page.browser.run("document.querySelector('button.open').focus(); " + FOCUSED)]
    page.browser.press(webdriver.ENTER)
    page.run("appears", ".payload")
    for _ in range(3):
        page.browser.press(webdriver.TAB)
        steps.append(page.browser.run(FOCUSED))
    page.browser.press(webdriver.ENTER)
    steps.append(page.browser.run(FOCUSED))
    page.tap.equal("keyboard: opens and closes a payload", [steps[0], "Copy", "Download", "Close", steps[0]], steps)
    page.tap.equal("keyboard: it is closed", [0], page.run("counts", [".payload"]))


FOCUSED = "return document.activeElement.textContent;"


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


def bulky(temp):
    folder = temp / "bulky"
    folder.mkdir(exist_ok=True)
    (folder / "dedicated_log_torch_trace_a.log").write_bytes(hostile.bulky(hostile.HostileWriter(hostile.Texts(), 0)).data)
    return folder


def test_blocks(tap, browser, pt2trace, temp):
    """More blocks than the page keeps unpacked; forth and back."""
    folder = bulky(temp)
    report_of(pt2trace, temp / "blocks", folder)
    page = Page(tap, browser, "blocks", temp / "blocks")
    page.open()
    tap.point("blocks: there are several", page.run("counts", ["script[id^=block-]"])[0] > 5)
    numbers = list(range(page.run("counts", ["button.open"])[0]))
    opened = page.run("payloads", numbers + numbers[::-1])
    tap.empty("blocks: payloads are those of the trace", list(wrong_payloads(opened, trace_payloads(folder))))
    page.quiet("when many blocks are opened")


def check_small(page, tags, script):
    page.browser.width(400)
    page.open()
    check_content(page, tags, script)
    page.run("openAll")
    page.check("does not scroll sideways", "sideways")
    page.quiet("when it opens")


def test_left_out(tap, browser, pt2trace, source, temp, tags, script):
    """Pages that are too small for their payloads, which are files beside them; or for what they say of the compiles."""
    report_of(pt2trace, temp / "files", bulky(temp), options=("--max-html-size", "500k", "--artifacts", "overflow"))
    page = Page(tap, browser, "files", temp / "files")
    check_small(page, tags, script)
    paths = linked_files(browser, ".artifact:not(:has(button)) a.file")
    texts = {text for payloads in trace_payloads(temp / "bulky").values() for _, text in payloads}
    tap.point("files: some payloads were left out", len(paths) >= 4, len(paths))
    tap.empty("files: their links lead to them", [path for path in paths if not path.is_file() or path.read_text() not in texts])
    report_of(pt2trace, temp / "left out", source / "testdata" / "graph_breaks" / "trace", options=("--max-html-size", "1"))
    page = Page(tap, browser, "left out", temp / "left out")
    check_small(page, tags, script)
    tap.point("left out: compiles without details", page.run("counts", ["details.compile .none > code.command"])[0] > 10)


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


# --- the checks themselves ------------------------------------------------------------------------------------------------


class Control(Page):
    """A page that holds a given text, to try the checks on."""

    def __init__(self, tap, browser, temp):
        self.path = temp / "control" / "index.html"
        self.path.parent.mkdir()
        super().__init__(tap, browser, "control", self.path.parent)

    def show(self, html, whole=False):
        self.path.write_text(html if whole else controls.GOOD % html, encoding="utf-8")
        self.browser.forget()
        self.open()

    def sees(self, what, complaints):
        what = what.encode("ascii", "backslashreplace").decode()
        self.tap.point(f"control: {what}", complaints, "the check found nothing")


def test_controls(tap, browser, temp):
    page = Control(tap, browser, temp)
    browser.width(800)
    page.show("")
    allowed = {name: ["lang", "charset", "aria-label", "class", "id", "href", "rel", "type", "tabindex", "style", "scope", "role",
                      "viewBox", "width", "height", "fill"] for name in browser.run(ELEMENTS)}
    for check, arguments in controls.CHECKS.items():
        page.check(f"{check} finds nothing where nothing is wrong", check, *arguments)
    page.check("foreign finds nothing where nothing is wrong", "foreign", allowed, "")
    page.quiet("where nothing is wrong")
    for check, html in controls.BAD:
        page.show(html)
        page.sees(f"{check} sees {html[:80]}", page.run(check, *controls.CHECKS[check]))
    for html in controls.FOREIGN:
        page.show(html)
        page.sees(f"foreign sees {html}", page.run("foreign", {**allowed, "script": ["type", "id"]}, "1"))
    for html in controls.UNSEEN:
        page.show(html)
        page.sees(f"missing misses {html}", page.run("missing", [["a text", "text"]]))
    page.show("<div hidden><p id='x'>x</p></div>")
    page.sees("revealed sees what stays hidden", page.run("revealed", "x"))
    test_log_controls(page)
    test_focus_controls(page)


ELEMENTS = "return Array.from(new Set(Array.from(document.querySelectorAll('*'), (e) => e.tagName.toLowerCase())))"


def test_log_controls(page):
    for html in controls.LOUD:
        page.show(html)
        page.sees(f"a complaint about {html[:120]}", page.browser.complaints())
    for html in controls.FETCHING:
        page.show(html)
        page.sees(f"a request of {html}", foreign_requests(page.browser.requests(), page.url))
    page.show("<p id='x'>x</p><script>document.getElementById('x').textContent = 'made by a script'</script>")
    made = page.run("readable")
    page.browser.scripts(False)
    page.open()
    page.sees("a text that needs a script", list(different_lines(made, page.run("readable"))))
    page.browser.scripts(True)


def test_focus_controls(page):
    page.show("<style>:focus { outline: none }</style>")
    page.run("watchFocus")
    page.browser.press(webdriver.TAB)
    complaints = page.run("unreached")
    page.sees("a control that is not reached", [line for line in complaints if line.startswith("not reached")])
    page.sees("a focus that does not show", [line for line in complaints if line.startswith("the focus")])


def test_sabotage(tap, browser, pt2trace, source, temp):
    """A report that was changed after it was written."""
    folder = source / "testdata" / "hello" / "trace"
    report_of(pt2trace, temp / "sabotage", folder)
    html = (temp / "sabotage" / "index.html").read_text(encoding="utf-8")
    page, expected = Control(tap, browser, temp / "sabotage"), trace_payloads(folder)
    for what, (pattern, other) in controls.SABOTAGE.items():
        changed = re.sub(pattern, other, html, count=1, flags=re.DOTALL)
        page.show(changed, whole=True)
        complaints = browser.complaints()
        if not complaints:
            opened = page.run("payloads", list(range(page.run("counts", ["button.open"])[0])))
            complaints = list(wrong_payloads(opened, expected))
        page.sees(what, changed != html and complaints)


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
            test_hostile_name(tap, browser, pt2trace, temp, tags, script)
            test_blocks(tap, browser, pt2trace, temp)
            test_left_out(tap, browser, pt2trace, source, temp, tags, script)
            test_table(tap, browser, pt2trace, source, temp)
            test_keyboard(tap, browser, pt2trace, source, temp)
            test_controls(tap, browser, temp)
            test_sabotage(tap, browser, pt2trace, source, temp)
    tap.equal("no process is left", [], browser.left())
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
