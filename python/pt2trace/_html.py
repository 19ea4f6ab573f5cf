"""A report as a piece of HTML for notebooks. All that comes from a trace is escaped; the whole report runs in a frame
that may neither reach the notebook nor the network."""

import html
import tempfile
from typing import TYPE_CHECKING, List

if TYPE_CHECKING:
    from ._capture import Capture
    from ._report import Finding, Report

# What a notebook keeps of the whole report, in bytes of the page.
PAGE_MAX = "1M"
PAGE_MAX_BYTES = 3_000_000

STYLE = {
    "critical": "background:#8b0000;color:#fff", "high": "background:#b3420e;color:#fff",
    "medium": "background:#7a5c00;color:#fff", "low": "background:#3c5a76;color:#fff", "info": "background:#555;color:#fff",
}


def _code(text: str) -> str:
    return f'<pre style="margin:.2em 0;padding:.4em;background:rgba(127,127,127,.15);white-space:pre-wrap">{html.escape(text)}</pre>'


def _words(text: str) -> str:
    """Escaped text, in which `backticks` are code."""
    parts = html.escape(text).split("`")
    if len(parts) % 2 == 0:
        return "`".join(parts)
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


def _finding(finding: "Finding") -> str:
    style = STYLE.get(finding.severity, STYLE["info"])
    place = f"{finding.file}:{finding.line}" if finding.line else finding.file or ""
    where = (finding.paste_at or {}).get("words") or ""
    parts = [
        f'<span style="{style};padding:0 .4em;border-radius:.2em">{html.escape(finding.severity)}</span> '
        f"<b>{_words(finding.title)}</b>",
        f'<div style="opacity:.75">{html.escape(place)}</div>' if place else "",
        _code(finding.source) if finding.source else "",
        f"<div>{_words(finding.fix)}</div>" if finding.fix else "",
        f"<div>Put this {html.escape(where)}:</div>" if finding.paste and where else "",
        _code(finding.paste) if finding.paste else "",
    ]
    return '<li style="margin:.6em 0">' + "".join(parts) + "</li>"


def _counts(report: "Report") -> str:
    names = {"compiles": "compile", "graph_breaks": "graph break", "recompiles": "recompile", "errors": "error"}
    counts = {one: report.totals.get(name) for name, one in names.items()}
    return ", ".join(f"{n} {one}" if n == 1 else f"{n} {one}s" for one, n in counts.items() if n is not None)


def report_html(report: "Report") -> str:
    """The verdict and the findings."""
    items: List[str] = [_finding(finding) for finding in report.findings]
    listed = f'<ul style="list-style:none;padding-left:0">{"".join(items)}</ul>' if items else "<p>No findings.</p>"
    counts = html.escape(_counts(report)) or "Nothing was compiled."
    return f'<div class="pt2trace" style="text-align:left"><div><b>pt2trace</b>: {counts}</div>{listed}</div>'


def _frame(page: str) -> str:
    """A sandbox without allow-same-origin: scripts of the page run, in an origin of their own."""
    return (
        "<details><summary>The whole report</summary>"
        f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(page, quote=True)}" '
        'title="pt2trace report" style="width:100%;height:40em;border:1px solid rgba(127,127,127,.5)"></iframe></details>'
    )


def capture_html(capture: "Capture") -> str:
    found = report_html(capture.result)
    if not capture.compiles:
        return found
    with tempfile.TemporaryDirectory(prefix="pt2trace-") as folder:
        page = capture.report(folder + "/report", "--max-html-size", PAGE_MAX).read_text(encoding="utf-8")
    return found + _frame(page) if len(page) <= PAGE_MAX_BYTES else found
