"""pt2trace.html: the program as WebAssembly and the page around it, in one file that needs nothing else."""
from __future__ import annotations

import base64
import gzip
import hashlib
import pathlib
import re

from .build import Built, licenses
from .products import version_of
from .targets import WEB

POLICY = ("default-src 'none'; script-src {page} {report} 'wasm-unsafe-eval'; style-src {page_style} {report_style}; "
          "img-src data:; worker-src blob:; frame-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'")


def csp_hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def report_hashes(program: bytes) -> tuple[str, str]:
    """Of the style and the script that the program writes into reports. A frame has the policy of the page that holds it
    beside its own, so this one names them too."""
    found = re.search(rb"style-src ('sha256-[^']+'); script-src ('sha256-[^']+')", program)
    return found[1].decode(), found[2].decode()


def in_script(text: str) -> str:
    """A text that stands in a script element as it is."""
    if re.search(r"</script|<!--", text, re.I):
        raise SystemExit("package: a script of the page holds the end of one")
    return text


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def page(root: pathlib.Path, program: bytes, texts: dict[str, str]) -> str:
    """`texts`: the licenses, by the names of their files."""
    web = root / "web"
    script = in_script((web / "page.js").read_text())
    style = (root / "templates" / "report.css").read_text() + (web / "page.css").read_text()
    report_style, report_script = report_hashes(program)
    parts = {
        "version": version_of(root),
        "csp": POLICY.format(page=csp_hash(script), report=report_script, page_style=csp_hash(style), report_style=report_style),
        "css": style,
        "worker": in_script((web / "wasi.js").read_text() + (web / "worker.js").read_text()),
        "program": base64.b64encode(gzip.compress(program, mtime=0)).decode(),
        "js": script,
        "licenses": escaped("\n".join(f"=== {name}\n\n{text.strip()}\n" for name, text in texts.items())),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], (web / "page.html").read_text())


def write(root: pathlib.Path, built: Built, output: pathlib.Path) -> pathlib.Path:
    path = output / "pt2trace.html"
    path.write_text(page(root, built.program.read_bytes(), licenses(root, WEB)))
    return path
