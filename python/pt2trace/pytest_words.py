"""What the pytest plugin says of a report."""

from typing import Any, Dict, List

from ._report import Report

# The arguments of the marker, with the field of totals that each limits, and the list that has the places.
LIMITS: Dict[str, str] = {
    "max_graph_breaks": "graph_breaks", "max_recompiles": "recompiles", "max_errors": "errors", "max_compiles": "compiles",
}


def _place(item: Any) -> str:
    file, line = getattr(item, "file", None), getattr(item, "line", None)
    if not file and getattr(item, "frame", None):
        file, line = item.frame.file, item.frame.line
    return f"{file}:{line}" if file else "(place unknown)"


def _what(item: Any) -> str:
    raw = item.raw
    reasons = [reason.get("text") for reason in raw.get("reasons", [])]
    words = raw.get("type") or raw.get("message") or (reasons[0] if reasons else None) or raw.get("id") or ""
    source = f"\n      > {item.source}" if getattr(item, "source", None) else ""
    return f"    {_place(item)}: {words}{source}"


def broken_limits(report: Report, limits: Dict[str, int]) -> List[str]:
    """A text for each limit that does not hold."""
    texts = []
    for name, most in limits.items():
        field = LIMITS[name]
        number = report.totals.get(field, 0)
        if number is not None and number > most:
            items = [_what(item) for item in getattr(report, field)]
            what = field.replace("_", " ") if number != 1 else field[:-1].replace("_", " ")
            texts.append("\n".join([f"{number} {what}, at most {most} allowed:", *items]))
    return texts
