#!/usr/bin/env python3
"""Which lines of the linked panes belong together, in traces whose provenance maps say it, against tlparse's numbers.

    test_lineage.py PT2TRACE SOURCE SHARED

OURS are directories of testdata. PEERS are tlparse's own test inputs, of which those are looked at that lie in
SHARED/peer-inputs. Needs chromedriver and chromium. Prints TAP."""

import pathlib
import signal
import sys
import tempfile

import webdriver
from report_page import Bench
from tap import Tap

# For each trace what tlparse 0.4.3 links: {line before the passes: lines after them}, {line that calls a kernel: lines
# after the passes}. It counts lines of code from the first that is not empty, in Python from "# AOT ID:".
OURS = {
    "provenance": (
        {7: [4], 8: [5], 11: [8], 12: [9]},
        {100: [4], 105: [5, 8, 9]}),
    "provenance_aoti": (
        {8: [11, 12], 11: [15], 14: [18], 15: [19]},
        {832: [8], 842: [12], 849: [15, 18, 19]}),
}
PEERS = {
    "inductor_provenance_aot_cuda_log.txt": (
        {8: [11, 14, 15], 11: [18], 14: [21], 17: [24], 20: [27, 28], 23: [31, 32, 33, 34, 35]},
        {1060: [14, 24, 27], 1064: [15, 18, 21], 1071: [24], 1079: [14, 24, 27], 1084: [28, 31, 32, 33, 34, 35]}),
    "inductor_provenance_aot_debug_handle_log.txt": (
        {8: [11, 12, 13], 11: [16], 14: [19], 17: [22], 20: [25, 26], 23: [29, 30, 31, 32, 33]},
        {1074: [12], 1079: [13, 16, 19], 1087: [22], 1096: [25], 1102: [26, 29, 30, 31, 32, 33]}),
    "inductor_provenance_aot_log.txt": (
        {8: [11, 12], 11: [15], 14: [18], 17: [21], 20: [24], 23: [27, 28, 29, 30, 31]},
        {813: [12, 21, 24], 821: [15, 18, 21], 829: [12, 21, 24], 834: [27, 28, 29, 30, 31]}),
    "inductor_provenance_aot_log_old.txt": (
        {8: [11, 12], 11: [15], 14: [18], 17: [21], 20: [24], 23: [27, 28, 29, 30, 31]},
        {704: [21], 717: [27, 28, 29, 30, 31]}),
    "inductor_provenance_extended_log.txt": (
        {8: [11, 14, 15], 11: [18], 14: [21], 17: [24], 20: [27, 28], 23: [31, 32, 33, 34, 35]},
        {1060: [14, 24, 27], 1064: [15, 18, 21], 1071: [24], 1079: [14, 24, 27], 1084: [28, 31, 32, 33, 34, 35]}),
    "inductor_provenance_jit_cuda_log.txt": (
        {11: [4, 7, 8], 14: [11], 17: [14], 20: [17], 23: [20, 21], 26: [24, 25, 26, 27, 28]},
        {186: [7, 17, 20], 192: [8, 11, 14], 197: [17], 201: [7, 17, 20], 207: [21, 24, 25, 26, 27, 28]}),
    "inductor_provenance_jit_debug_handle_log.txt": (
        {11: [4, 5, 6], 14: [9], 17: [12], 20: [15], 23: [18, 19], 26: [22, 23, 24, 25, 26]},
        {197: [5], 204: [6, 9, 12, 29], 211: [15], 216: [18], 223: [19, 22, 23, 24, 25, 26]}),
    "inductor_provenance_jit_log.txt": (
        {11: [4, 5], 14: [8], 17: [11], 20: [14], 23: [17], 26: [20, 21, 22, 23, 24]},
        {132: [5, 14, 17], 138: [8, 11, 14], 142: [5, 14, 17], 147: [20, 21, 22, 23, 24]}),
}

# The same of the page: what `connect` makes of the texts and maps that each button of linked panes names.
LINKS = """
const read = async (id) => {
  const button = id && document.getElementById(id).querySelector("button.open");
  return button ? { name: button.dataset.name, text: await viewer.text(button) } : {};
};
const ascending = (lines) => [...lines].sort((a, b) => a - b);
const first = (code) => {
  const lines = code.split("\\n"), filled = lines.findIndex((line) => line), id = lines.findIndex((line) => line.includes("# AOT ID:"));
  return Math.max(filled, id);
};
return (async () => {
  const out = [];
  for (const { dataset } of document.querySelectorAll("button.lineage")) {
    const [before, after, code] = await Promise.all([dataset.before, dataset.after, dataset.code].map(read));
    const maps = (await Promise.all(dataset.maps.split(" ").map(read))).map(({ name, text }) => ({ name, value: JSON.parse(text) }));
    const { links, calls } = lineage.connect({ before: before.text, after: after.text, code: code.text }, maps);
    const across = (from, to, count) => Array.from({ length: count }, (_, i) => [i + 1, ascending(links.across(from, to, [i + 1]))])
      .filter(([, found]) => found.length);
    const called = across("kernels", "after", calls.length).map(([i, found]) => [calls[i - 1].lines.at(-1) - first(code.text), found]);
    out.push([across("before", "after", before.text.split("\\n").length), across("after", "before", after.text.split("\\n").length), called]);
  }
  return out;
})();
"""


def turned(map):
    """{line after: lines before} of {line before: lines after}"""
    out = {}
    for line, others in map.items():
        for other in others:
            out.setdefault(other, []).append(line)
    return out


def check(bench, name, path, expected):
    nodes, kernels = expected
    page = bench.page(name, path)
    page.open()
    found = [[dict(pairs) for pairs in maps] for maps in bench.browser.run(LINKS)]
    page.equal("one graph has linked panes", 1, len(found))
    for what, expected, lines in zip(("nodes before the passes lead to nodes after them", "nodes after the passes lead back",
                                  "calls of kernels lead to nodes"), (nodes, turned(nodes), kernels), found[0]):
        page.equal(what, expected, lines)


def main(pt2trace, source, shared):
    tap = Tap()
    if webdriver.missing():
        why = f"{' and '.join(webdriver.missing())} not installed: tools/setup --tests"
        print(f"test_lineage.py: NOTHING WAS TESTED, {why}", file=sys.stderr)
        tap.skip("lines of linked panes", why)
        return tap.end()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the browser is ended too
    pt2trace, source, shared = (pathlib.Path(path).resolve() for path in (pt2trace, source, shared))
    traces = {name: (source / "testdata" / name / "trace", expected) for name, expected in OURS.items()}
    traces |= {name: (shared / "peer-inputs" / name, expected) for name, expected in PEERS.items()}
    with tempfile.TemporaryDirectory(prefix="pt2trace-lineage-") as temp, webdriver.Browser() as browser:
        bench = Bench(tap, browser, pt2trace, source, pathlib.Path(temp))
        for name, (path, expected) in traces.items():
            if name in OURS or path.exists():
                bench.attempt(lambda bench: check(bench, name, path, expected))
    return tap.end()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    sys.exit(main(*sys.argv[1:]))
