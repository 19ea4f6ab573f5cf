"""What stands in a report.json, or on a page, in lines that can be kept and compared."""

import base64
import hashlib
import json
import re
import zlib

EMPTY = (None, [], {}, "", False, 0)
SAID_ELSEWHERE = {"schema", "version", "tool", "totals", "configurations"}


def not_empty(members):
    return {key: member for key, member in members.items() if member not in EMPTY}


def entries(document, left_out, leaned):
    """(key, entry) of a document of JSON: each entry of its lists, and what is no list, without what is empty."""
    for key, value in document.items():
        for entry in value if isinstance(value, list) else [value]:
            entry = leaned(entry)
            if entry and key not in left_out:
                yield key, entry


def lean(value):
    """Without what is empty, and of long texts and lists the beginning and a digest."""
    if isinstance(value, dict):
        return not_empty({key: lean(member) for key, member in value.items()})
    calls = isinstance(value, list) and value and isinstance(value[0], dict) and "function" in value[0]
    text = json.dumps(value, ensure_ascii=False) if calls or isinstance(value, str) else ""
    if len(text) > (200 if calls else 1000):
        return f"{text[:100]}... {len(value)}, {hashlib.md5(text.encode()).hexdigest()}"
    return [lean(member) for member in value] if isinstance(value, list) else value


def facts(report):
    """What stands in report.json, an entry in a line."""
    for key, entry in entries(report, SAID_ELSEWHERE, lean):
        yield f"{key}: {json.dumps(entry, ensure_ascii=False)}\n"


def differing(whole, damaged):
    """Which parts of a report differ, and a digest of it. The size of the input differs always."""
    before, after = (list(facts({**report, "inputs": []})) for report in (whole, damaged))
    parts = sorted({line.split(":")[0] for line in {*before} ^ {*after}})
    return f"{hashlib.md5(''.join(after).encode()).hexdigest()[:12]}\t{' '.join(parts)}"


def check_kept(tap, path, rows, write):
    """A row for each damaged input, in a file."""
    if write:
        path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    kept = path.read_text(encoding="utf-8").splitlines()
    tap.empty("all that is said of what was damaged is as it was", [*({*kept} - {*rows}), *({*rows} - {*kept})])


def payload(match):
    """Packed text, as the script unpacks it."""
    if not match[2].strip():
        return match[0]
    text = zlib.decompress(base64.b64decode(match[2]), -15)
    return f"{match[1]}{len(text)} bytes, {hashlib.md5(text).hexdigest()}{match[3]}"


def of_page(page, sections):
    page = re.sub(r"(?s)<style\b.*?</style>|<script>.*?</script>|<meta http-equiv=[^>]*>", "", page)
    page = re.sub(r'(?s)(<script type="text/plain"[^>]*>)(.*?)(</script>)', payload, page)
    page = re.sub(r"(?s)(<pre\b[^>]*>)([^<]{600,}?)(</pre>)", lambda m: f"{m[1]}{m[2][:200]}... {len(m[2])} {hashlib.md5(m[2].encode()).hexdigest()}{m[3]}", page)
    parts = re.split(r'(?=<section id=")', page)
    return "".join(part for part in parts if not sections or part.startswith(tuple(f'<section id="{name}"' for name in sections)))
