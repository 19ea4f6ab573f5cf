"""A page of the HTML report in a browser, and what every such page must be: for test_browser.py."""

import pathlib
import re
from collections import Counter
from html.parser import HTMLParser

import reference
import webdriver
from tap import Failed, report_of

WIDTHS = (400, 800, 1400)
PAYLOADS, ANCHORS = 50, 25  # of each page; a browser refuses to follow hundreds of links in a few seconds
CHECKS = (pathlib.Path(__file__).parent / "page_checks.js").read_text(encoding="utf-8")
ENTRIES = {  # in the page, and the list of report.json that they show
    ".finding": "findings",
    "#breaks > details": "graph_breaks",
    "#errors > details": "errors",
    "#compiles details.compile:not([id^=c-none])": "compiles",
    "#compile-table > tbody > tr:not(:has([href^='#c-none']))": "shown",
    "#caches details tbody > tr": "lookups",
    "#ranks table.processes > tbody > tr": "processes",
}


# --- what the templates hold ------------------------------------------------------------------------------------------


# Python's parser loses it, a browser does not.
CASE = {"viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio"}


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = {}

    def handle_starttag(self, tag, attributes):
        self.found.setdefault(tag, set()).update(CASE.get(name, name) for name, _ in attributes)


MADE_BY_SCRIPT = """<button type class aria-label aria-expanded aria-pressed></button><span data-line data-number></span>
<input aria-label><a data-file data-line></a><table class><thead><tr class><th scope></th><td class colspan></td></tr></thead>
<tbody></tbody></table><div aria-live></div><ins></ins><del></del>
<div class tabindex role aria-label hidden><pre class aria-hidden></pre></div>
<div class><label for class></label><input type placeholder id><span class aria-live></span></div><p class></p><b></b>
<table><tr hidden><th aria-sort></th></tr></table><details open></details><canvas tabindex role aria-label style width height></canvas>
<input autocomplete><b title></b><select><option value></option></select><mark></mark><dialog class></dialog><kbd></kbd>
<a aria-current></a><select aria-label></select><p tabindex></p><h2 id tabindex></h2><li hidden class tabindex></li><summary tabindex></summary><tr tabindex></tr>
<details data-ready></details><pre tabindex></pre><article tabindex></article><div tabindex></div><ol></ol>
<span class hidden></span><div class hidden aria-hidden style></div><p aria-live></p>"""


def template_tags(source):
    """{element: [attributes]} that a page may have: those of the templates, and those that the page's script makes."""
    tags = Tags()
    for path in sorted((source / "templates").glob("*.mustache")):
        tags.feed(re.sub(r"\{\{.*?\}\}+", "", path.read_text(encoding="utf-8")))
    tags.feed(MADE_BY_SCRIPT)
    return {name: sorted(attributes) for name, attributes in tags.found.items()}


def page_script(source):
    """What the page's own script element holds: the scripts that meson.build names, in that order. runs.js is of another page."""
    names = re.findall(r"'(templates/\w+\.js)'", (source / "meson.build").read_text(encoding="utf-8"))
    return "".join((source / name).read_text(encoding="utf-8") for name in names if name != "templates/runs.js")


class Bench:
    """What every test needs."""

    def __init__(self, tap, browser, pt2trace, source, temp):
        self.tap, self.browser, self.pt2trace, self.source, self.temp = tap, browser, pt2trace, source, temp
        self.tags, self.script = template_tags(source), page_script(source)

    def trace(self, name):
        return self.source / "testdata" / name / "trace"

    def page(self, name, path, options=()):
        """Writes a report on a trace."""
        report = report_of(self.pt2trace, self.temp / name, path, options=options)
        return Page(self, name, self.temp / name, report)

    def attempt(self, test, *arguments):
        try:
            return test(self, *arguments)
        except (Failed, webdriver.BrowserError) as error:
            self.tap.point(f"{test.__name__} comes to its end", False, error)


# --- one page ---------------------------------------------------------------------------------------------------------


class Page:
    """A report in the browser, and what is known of it from elsewhere."""

    def __init__(self, bench, name, folder, report=None):
        self.bench, self.tap, self.browser, self.name, self.report = bench, bench.tap, bench.browser, name, report
        self.folder, self.url = folder, (folder / "index.html").resolve().as_uri()
        self.browser.forget()

    def open(self, fragment=""):
        if fragment:
            self.browser.open("about:blank")  # else the fragment would be followed in the page that is open already
        self.browser.open(self.url + fragment)

    def run(self, check, *arguments):
        return self.browser.run(CHECKS, check, *arguments)

    def check(self, what, check, *arguments):
        return self.empty(what, self.run(check, *arguments))

    def point(self, what, passed, *why):
        return self.tap.point(f"{self.name}: {what}", passed, *why)

    def equal(self, what, expected, found):
        return self.tap.equal(f"{self.name}: {what}", expected, found)

    def empty(self, what, complaints):
        return self.tap.empty(f"{self.name}: {what}", list(complaints))

    def quiet(self, when):
        """Nothing was said on the console, and nothing was fetched but the page itself."""
        self.empty(f"no error, warning or violation {when}", self.browser.complaints())
        self.empty(f"nothing is fetched {when}", foreign_requests(self.browser.requests(), self.url))


def foreign_requests(requests, url):
    own = ("data:", "about:", "chrome:")  # these come out of the page, or out of the browser
    return [request for request in requests if request.partition("#")[0] != url and not request.startswith(own)]


def check_content(page):
    page.empty("is UTF-8 without control characters", strange_bytes((page.folder / "index.html").read_bytes()))
    ours = page.bench.tags, page.bench.script
    page.check("holds no element, attribute or script but those of the templates", "foreign", *ours)
    page.check("no text of the trace ran", "pwned")
    page.check("ids are unique and links lead somewhere safe", "links")
    page.check("headings, landmarks, language and title", "structure")
    page.check("images have texts", "alternatives")
    page.check("tables have headers", "tables")
    page.check("lists have items", "lists")
    page.check("texts turn only their own direction", "directions")
    page.check("controls have names and can be reached", "controls")


def strange_bytes(data):
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return [f"{error}: {data[error.start - 40:error.end + 20]!r}"]
    found = re.finditer(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f]", text)
    return [repr(text[match.start() - 40:match.end()]) for match in found]


def check_entries(page):
    """Everything that report.json lists has its entry."""
    if not page.report:
        return
    shown = [c for c in page.report["compiles"] if not c["same_as"]]  # one for all ranks that did the same
    keys = {(c["process"], c["epoch"], c["id"]) for c in shown}
    lookups = [e for e in page.report["caches"] if (e["process"], e["epoch"], e["compile"]) in keys]
    lists = {**page.report, "processes": [None] * page.report["totals"]["processes"], "shown": shown, "lookups": lookups}
    expected = {selector: len(lists[name]) for selector, name in ENTRIES.items()}
    page.equal("entries", expected, dict(zip(ENTRIES, page.run("counts", list(ENTRIES)))))
    steps = page.run("counts", ["#recompiles > details > ol > li:has(.arrow)"])
    page.equal("steps of recompiles", [len(page.report["recompiles"])], steps)


def check_links(page):
    anchors = page.run("anchors")
    chosen = anchors[:: max(1, -(-len(anchors) // ANCHORS))]
    page.check(f"{len(chosen)} links open what they lead to", "deepLinks", chosen)
    entries = [anchor for anchor in anchors if anchor.startswith("c-")] or ["findings"]
    page.open("#" + entries[-1])
    page.check("a link from outside opens what it leads to", "revealed", entries[-1])
    page.run("follow", ["#%E0%A4%A", "#block-0", "#", "#gone"])  # the first is cut off in the middle of a character


def trace_payloads(folder):
    """{compile id: Counter of (name, text)} of what has a payload; events have it for the timeline alone."""
    found = {}
    for path in filter(pathlib.Path.is_file, folder.rglob("*")):
        for record in reference.read(path)[0]:
            if record.lines and record.kind not in (None, "chromium_event"):
                text = record.payload.decode("utf-8", "replace")
                found.setdefault(record.id, Counter())[record.name or record.kind, text] += 1
    return found


def names_of(payloads):
    """{compile id: Counter of names}."""
    names = {}
    for id, texts in payloads.items():
        for (name, _), count in texts.items():
            names.setdefault(id, Counter())[name] += count
    return names


def compile_id(anchor):
    """What the address of an entry stands for: c-0_1, c-a3_0_1-p0-e1."""
    match = re.fullmatch(r"c-(.*?)(?:-p\d+-e\d+)?", anchor)
    return None if not match or match[1] == "none" else match[1].replace("_", "/").replace("a", "!")


def without_indent(text):
    """JSON without blanks between its tokens: the page breaks one long line into several."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|\s+', lambda match: match[1] or "", text)


def wrong_payloads(opened, payloads):
    expected = {id: {*texts, *((name, without_indent(text)) for name, text in texts if "\n" not in text)}
                for id, texts in payloads.items()}
    for anchor, name, text, children, expanded in opened:
        shown = {(name, text), (name, without_indent(text or ""))}
        if text is None:
            yield f"{anchor} {name}: did not open, or did not close"
        elif anchor and not shown & expected.get(compile_id(anchor), set()):
            yield f"{anchor} {name}: not what the trace holds: {text[:80]!r}"
        elif not anchor and not any(shown & texts for texts in expected.values()):
            yield f"{name}: not what the trace holds: {text[:80]!r}"
        elif children or expanded != "true":
            yield f"{anchor} {name}: {children} elements in it, aria-expanded={expanded}"


def check_payloads(page, expected):
    names = {}
    for anchor, name in page.run("payloadNames"):
        names.setdefault(compile_id(anchor), Counter())[name] += 1
    page.equal("every compile has its payloads", names_of(expected), names)
    count = page.run("counts", ["button.open"])[0]
    numbers = list(range(0, count, max(1, -(-count // PAYLOADS))))
    opened = page.run("payloads", numbers)
    page.empty(f"{len(numbers)} payloads open and are those of the trace", wrong_payloads(opened, expected))
    page.point("it has payloads to open", len(opened) == len(numbers) > 0, f"{len(opened)} of {count}")
    page.check("opened payloads are text", "pwned")


def check_widths(page, how):
    for width in WIDTHS:
        page.browser.width(width)
        page.check(f"does not scroll sideways at {width} pixels, {how}", "sideways")
        page.check(f"no label is broken at {width} pixels, {how}", "brokenWords")


def check_colors(page, how):
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
        page.equal("the script did not run", [0, 0], page.run("counts", [".filter", "th > button"]))
        page.empty("reads the same without scripts", different_lines(readable, page.run("readable")))
    finally:
        page.browser.scripts(True)


def check_page(page, expected):
    page.open()
    check_content(page)
    check_entries(page)
    page.quiet("when it opens")
    check_widths(page, "closed")
    check_payloads(page, expected)
    readable = page.run("readable")
    page.check("opens a payload", "openOne")
    check_widths(page, "everything open")
    check_colors(page, "everything open")
    page.point("has texts of several styles", page.run("textStyles") >= 5)
    check_links(page)
    check_without_script(page, readable)
    page.quiet("while it is used")
