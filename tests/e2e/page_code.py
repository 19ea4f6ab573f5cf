"""The parts of a report that show code, used as a person does: payloads, comparisons, linked panes: for
test_browser.py."""

import json
import random

import webdriver
from report_page import trace_payloads
from writer import Writer

DOWN, SHIFT = "\ue015", "\ue008"
OPEN_AT = """
const [name, line] = arguments, button = Array.from(document.querySelectorAll("details.compile button.open"))
  .find((b) => b.dataset.name === name);
location.hash = "#" + button.dataset.anchor + ":L" + line;
"""
# [number, text, whether it is in view] of the lines of a class.
LINES = """
const [selector, name] = arguments, area = document.querySelector(selector + " .text");
const frame = area.getBoundingClientRect();
return Array.from(area.querySelectorAll(".row." + name), (row) => {
  const box = row.getBoundingClientRect(), isInView = box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
  return [Number(row.dataset.line), row.textContent.replace(/\\n$/, ""), isInView];
});
"""
COUNT = "return document.querySelector('.payload .find span').textContent"
HASH = "return location.hash"


def check_looks(page):
    page.check("tables have headers", "tables")
    for scheme in ("dark", "light"):
        page.browser.scheme(scheme)
        page.check(f"contrast of texts, {scheme}", "contrast")
    page.browser.width(400)
    page.check("does not scroll sideways", "sideways")


def text_of(folder, name):
    """The payload of that name of a compile, as the trace holds it."""
    return next(text for id, texts in trace_payloads(folder).items() if id for found, text in texts if found == name)


# --- payloads ---------------------------------------------------------------------------------------------------------


def test_code(bench):
    folder = bench.trace("provenance")
    page, lines = bench.page("code", folder), text_of(folder, "inductor_output_code").split("\n")
    page.browser.width(1400)
    page.open()
    page.browser.run(OPEN_AT, "inductor_output_code", "60-L62")
    page.run("appears", ".payload .row.target")
    expected = [[number, lines[number - 1], True] for number in (60, 61, 62)]
    page.equal("an address leads to lines of a payload", expected, page.browser.run(LINES, ".payload", "target"))
    check_find(page, lines)
    check_colors_of_code(page, lines)
    check_address(page)
    page.browser.run("getSelection().selectAllChildren(document.querySelector('.payload pre'))")
    selected = page.browser.run("return getSelection().toString()")
    page.equal("what is copied is the text, without numbers", "\n".join(lines).rstrip("\n"), selected.rstrip("\n"))
    page.quiet("while code is read")


def check_find(page, lines):
    page.browser.run("document.querySelector('.payload .find input').focus()")
    page.browser.press(*"CPP_FUSED")
    found = [number for number, line in enumerate(lines, 1) if "cpp_fused" in line]
    says = [f"{at} of {len(found)}, line {found[at - 1]}" for at in (1, 2, len(found))]
    page.equal("find counts the lines", says[0], page.browser.run(COUNT))
    page.browser.press(webdriver.ENTER)
    page.equal("Enter leads to the next", says[1], page.browser.run(COUNT))
    current = page.browser.run(LINES, ".payload", "current")
    page.equal("and shows it", [[found[1], lines[found[1] - 1], True]], current)
    page.browser.run(SHIFT_ENTER)
    page.browser.run(SHIFT_ENTER)
    page.equal("with Shift it leads back, around the end", says[2], page.browser.run(COUNT))
    page.browser.run("document.querySelector('.payload .find input').value = ''")
    page.browser.press(*":7")
    page.equal("a colon leads to a line", [[7, lines[6], True]], page.browser.run(LINES, ".payload", "current"))
    page.equal("and marks none as found", [], page.browser.run(LINES, ".payload", "found"))


SHIFT_ENTER = """document.querySelector(".payload .find input").dispatchEvent(
  new KeyboardEvent("keydown", { key: "Enter", shiftKey: true, cancelable: true }));"""


def check_colors_of_code(page, lines):
    loop = next(number for number, line in enumerate(lines, 1) if "for(int64_t" in line)
    pieces = page.browser.run(PIECES, [loop, 1, 2])
    page.point("a loop of C++", ["keyword", "for"] in pieces[0] and ["literal", "1L"] in pieces[0], *pieces[0])
    page.equal("a comment of Python", [["comment", lines[0]]], pieces[1])
    page.equal("an import of Python", [["keyword", "from"], ["keyword", "import"]], pieces[2])


PIECES = """
return arguments[0].map((line) => {
  const row = document.querySelector(".payload [data-line='" + line + "']");
  return Array.from(row.children, (e) => [e.className, e.textContent]);
});
"""


def check_address(page):
    """A click on the number of a line."""
    page.browser.run(CLICK_NUMBER, 10, False)
    page.point("a number of a line gives its address", page.browser.run(HASH).endswith(":L10"), page.browser.run(HASH))
    page.browser.run(CLICK_NUMBER, 8, True)
    page.point("with Shift of several", page.browser.run(HASH).endswith(":L8-L10"), page.browser.run(HASH))
    page.equal("they are marked", [8, 9, 10], [line for line, *_ in page.browser.run(LINES, ".payload", "target")])
    page.browser.run(CLICK_NUMBER, 20, False, 300)
    page.point("a line itself gives none", page.browser.run(HASH).endswith(":L8-L10"), page.browser.run(HASH))


CLICK_NUMBER = """
const [line, shiftKey, x = 5] = arguments, row = document.querySelector(".payload [data-line='" + line + "']");
const box = row.getBoundingClientRect();
row.dispatchEvent(new MouseEvent("click", { bubbles: true, shiftKey, clientX: box.left + x, clientY: box.top + 5 }));
"""


LANGUAGES = """k = async_compile.cpp_pybinding(['float*'], r'''
// it's C++
''')
x = 7 // 2  # it's Python
t = async_compile.triton('t', '''
y = 7 // 2  # it's Python, too
''', device_str='cuda')
"""


def test_languages(bench):
    """Kernels stand in strings of Python: those in C++ are C++, those of Triton are Python."""
    w, id = Writer(), {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}
    w.start("f", 3, **id)
    w.record("inductor_output_code", {"filename": "/tmp/x.py"}, LANGUAGES, **id)
    page = bench.page("languages", write(bench, "languages", w))
    page.open()
    page.browser.run(OPEN_AT, "inductor_output_code", "1")
    page.run("appears", ".payload .row.target")
    python = [["literal", "7"], ["literal", "2"], ["comment", "# it's Python"]]
    page.equal("each line is colored as what it is", [
        [["comment", "// it's C++"]], [["string", "'''"]], python, [*python[:2], ["comment", "# it's Python, too"]],
    ], page.browser.run(PIECES, [2, 3, 4, 6]))


def test_large(bench):
    """Only what is looked at is taken apart; all of it is there."""
    w, id = Writer(), {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}
    text = "\n".join(f"        buf{i} = empty_strided_cpu(({i}, 4), (4, 1), torch.float32)" for i in range(60000))
    w.start("f", 3, **id)
    w.record("inductor_output_code", {"filename": "/tmp/x.py"}, text, **id)
    page = bench.page("large", write(bench, "large", w))
    page.open()
    page.browser.run(OPEN_AT, "inductor_output_code", "50000")
    page.run("appears", ".payload .row.target")
    page.equal("leads to a line far below", [[50000, text.split("\n")[49999], True]],
               page.browser.run(LINES, ".payload", "target"))
    page.point("most lines are no elements", page.run("counts", [".payload .row"])[0] < 5000)
    shown = page.browser.run("return document.querySelector('.payload pre').textContent")
    page.point("all of the text is there", shown == text, len(shown))


def write(bench, name, writer):
    folder = bench.temp / f"{name} trace"
    folder.mkdir()
    (folder / "dedicated_log_torch_trace_a.log").write_bytes(writer.data)
    return folder


# --- comparisons ------------------------------------------------------------------------------------------------------


def test_comparison(bench):
    """An artifact beside the same one of the previous compile."""
    page = bench.page("comparison", bench.trace("recompiles"))
    page.browser.width(1400)
    page.open()
    before, after = page.browser.run(COMPARE, "dynamo_output_graph")
    page.point("the two differ", before != after)
    page.run("appears", ".comparison table")
    page.equal("both texts stand side by side", [before, after], page.browser.run(SIDES))
    page.point("what is different in a line is marked", page.run("counts", [".comparison .change ins"])[0] > 0)
    marked = page.browser.run("return [document.querySelector('.comparison del')?.textContent, "
                              "document.querySelector('.comparison ins')?.textContent]")
    page.point("by word", marked[0] in before and marked[1] in after and len(marked[0]) < 40, *marked)
    page.run("press", "Unified")
    page.equal("one below the other they are the same", [before, after], page.browser.run(SIDES))
    page.equal("Unified says that it is on", "true", page.browser.run(
        "return Array.from(document.querySelectorAll('.comparison button')).find((b) => b.textContent === 'Unified')"
        ".getAttribute('aria-pressed')"))
    check_looks(page)
    page.run("press", "Close")
    page.equal("Close closes", [0], page.run("counts", [".comparison"]))
    page.quiet("while texts are compared")


# Presses the first button that compares artifacts of a name; both texts.
COMPARE = """
const button = Array.from(document.querySelectorAll("button.compare"))
  .find((b) => document.getElementById(b.dataset.to).querySelector("button.open").dataset.name === arguments[0]);
for (let e = button; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
const texts = [];
for (const anchor of [button.dataset.from, button.dataset.to]) {
  const home = document.getElementById(anchor), open = home.querySelector("button.open");
  open.click();
  for (let i = 0; i < 200 && !home.querySelector(".payload"); i++) await new Promise((done) => setTimeout(done, 10));
  texts.push(home.querySelector(".payload pre").textContent);
  open.click();
}
button.click();
return texts;
"""
COMPARE = f"return (async () => {{ {COMPARE} }})(...arguments)".replace("arguments[0]", "name").replace(
    "async ()", "async (name)")
SIDES = """
for (let fold; (fold = document.querySelector(".comparison .fold button"));) fold.click();
const text = (cell) => Array.from(cell.childNodes).slice(1).map((n) => n.textContent).join("");
return ["old", "now"].map((side) => Array.from(document.querySelectorAll(".comparison tbody tr"), (row) =>
  Array.from(row.cells).find((cell) => cell.matches("." + side) || (row.matches(".same") && cell.matches(".code"))))
  .filter(Boolean).map(text).join("\\n"));
"""


def common(a, b):
    """How many items two lists have in common, in order, at most."""
    best = [0] * (len(b) + 1)
    for x in a:
        last = 0
        for i, y in enumerate(b, 1):
            last, best[i] = best[i], last + 1 if x == y else max(best[i], best[i - 1])
    return best[-1]


def test_differences(bench):
    """Lines of one text beside those of another: none is lost, and as many as can be are the same."""
    numbers, cases = random.Random(1), []
    for _ in range(400):
        symbols = numbers.choice((2, 3, 40))
        a = [str(numbers.randrange(symbols)) for _ in range(numbers.randrange(40))]
        b = [x for x in a if numbers.random() > 0.1]
        for _ in range(numbers.randrange(6)):
            b.insert(numbers.randrange(len(b) + 1), str(numbers.randrange(symbols)))
        cases.append([a, b])
    page = bench.page("differences", bench.trace("hello"))
    page.open()
    found, wrong, same, most = page.browser.run(DIFFERENCES, cases), [], 0, 0
    for (a, b), rows in zip(cases, found):
        kept = [[row[side] for row in rows if row[side] is not None] for side in (1, 2)]
        if kept != [[*range(len(a))], [*range(len(b))]] or any(a[i] != b[k] for kind, i, k in rows if kind == "same"):
            wrong.append(f"{a} {b}: {rows}")
        same += sum(kind == "same" for kind, *_ in rows)
        most += common(a, b)
    page.empty("every line has its place", wrong)
    page.point("what is the same is found", most * 0.995 <= same <= most, f"{same} of {most}")


DIFFERENCES = """
return arguments[0].map(([a, b]) => diff.rowsOf(a, b).map((row) => [row.kind, row.a ?? null, row.b ?? null]));
"""


def test_graph_differences(bench):
    """Two graphs, node by node; renamed nodes are the same ones. Made as PyTorch prints them, in both of its forms."""
    page = bench.page("graph-differences", bench.trace("hello"))
    page.open()
    for what, before, after, want in GRAPHS:
        found = page.browser.run("const found = graphDiff.compare(...arguments[0]); return found && [found.same, found.renamed, "
                                 "found.changes.map(({ kind, a, b }) => [kind, a?.name ?? null, b?.name ?? null])];", [before, after])
        page.equal(what, want, found)


def signed(signature, *nodes):
    return f"class GraphModule(torch.nn.Module):\n    def forward({signature}):\n" + "".join(f"        {n}\n" for n in nodes)


LINE = "# File: /x/model.py:3 in f, code: y = x + 1"
CHAIN = ('relu: "f32[3]" = torch.ops.aten.relu.default(x);  x = None', 'add: "f32[3]" = torch.ops.aten.add.Tensor(relu, 1)', "return (add,)")
GRAPHS = (
    ("equal graphs", signed('self, x: "f32[3]"', LINE, *CHAIN), signed('self, x: "f32[3]"', *CHAIN), [4, 0, []]),
    ("one that comes before others renames them", signed('self, x: "f32[3]"', *CHAIN),
     signed('self, x: "f32[3]"', 'add: "f32[3]" = torch.ops.aten.add.Tensor(x, x)', 'relu: "f32[3]" = torch.ops.aten.relu.default(add)',
            'add_1: "f32[3]" = torch.ops.aten.add.Tensor(relu, 1)', "return (add_1,)"),
     [3, 1, [["is new", None, "add"], ["takes other nodes", "relu", "relu"]]]),
    ("another function, another argument, other sizes, one that is gone",
     signed('self, L_x_: "f32[3][1]cpu"', "l_x_ = L_x_", 'y: "f32[3][1]cpu" = l_x_.cos();  l_x_ = None',
            'z: "f32[3][1]cpu" = y * 2', "w = torch.sigmoid(z)", "return (z,)"),
     signed('\n        self,\n        L_x_: "f32[5][1]cpu",  # PlainAOTInput(idx=0)\n    ', "l_x_ = L_x_",
            'y: "f32[3][1]cpu" = l_x_.sin();  l_x_ = None', 'z: "f32[3][1]cpu" = y * 3', "return (z,)"),
     [2, 0, [["returns something else", "L_x_", "L_x_"], ["calls something else", "y", "y"], ["has other arguments", "z", "z"],
             ["is gone", "w", None]]]),
    ("names in strings are not nodes", signed("self, x, group", 'a = f(x, "group");  x = None', "return a"),
     signed("self, x, other", 'a = f(x, "group");  x = None', "return a"), [4, 1, []]),
    ("what is no graph", "no graph\n", signed("self, x", "return x"), None),
)


def test_any_two(bench):
    """An artifact of a rank beside any other: out of the list of all, and the two in which ranks diverge."""
    page = bench.page("any-two", bench.trace("ranks_branch"))
    page.browser.width(1400)
    page.open()
    page.browser.run("document.querySelector('.divergence button.compare').click()")
    page.run("appears", ".divergence .comparison table")
    page.equal("the graphs of two ranks that diverge, node by node",
               ["Nodes: 4 the same; 1 calls something else", "x = l_x_.sin()", "x = l_x_.cos()"],
               [words.split("  #")[0] for words in page.browser.run(
                   "return Array.from(document.querySelectorAll('.nodes :is(p, code)'), (e) => e.textContent)")])
    page.browser.run("document.querySelector('.divergence button.compare').click()")
    page.equal("again closes them", [0], page.run("counts", [".comparison"]))
    page.browser.run("""
        const open = document.getElementById("a-0-7").querySelector("button.open");
        for (let e = open; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
        open.click();""")
    page.run("appears", "#a-0-7 .payload")
    page.run("press", "Compare with\u2026")
    offered = page.browser.run(OFFERED)
    page.equal("graphs of that name are offered first", ["dynamo_output_graph"] * 7, [words.split()[-1] for words in offered[:7]])
    page.browser.run("""const input = document.querySelector(".chooser input");
        input.value = "RANK 2 guards";
        input.dispatchEvent(new Event("input"));""")
    page.equal("words filter the list", ["[0/0] rank 2 first dynamo_cpp_guards_str", "[1/0] rank 2 warm_up dynamo_cpp_guards_str"],
               page.browser.run(OFFERED))
    page.browser.run("document.querySelectorAll('.chooser li button')[1].click()")
    page.run("appears", ".comparison table")
    page.equal("the comparison says what it is of", "[1/0] rank 0 warm_up dynamo_output_graph \u2192 [1/0] rank 2 warm_up dynamo_cpp_guards_str",
               page.browser.run("return document.querySelector('.comparison .bar b').textContent"))
    page.equal("the list is closed, the payload open", [0, 2], page.run("counts", [".chooser", "#a-0-7 .payload"]))
    check_looks(page)
    page.quiet("while any two are compared")


OFFERED = "return Array.from(document.querySelectorAll('.chooser li'), (item) => item.textContent)"


def graph(*nodes):
    return "class GraphModule(torch.nn.Module):\n    def forward(self, x):\n" + "".join(f"        {n}\n" for n in nodes)


def test_passes(bench):
    """Graphs before and after passes, among them dumps of single passes."""
    w, id = Writer(), {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}
    w.start("f", 3, **id)
    for name, nodes in (("before_pre_grad_graph", ["a = x"]), ("after_pre_grad_graph", ["a = x"]),
                        ("before_post_grad_graph", ["a = x", "b = a"]), ("fuse_post_grad", ["b = x"]),
                        ("vllm_post_grad.0.Quantize", ["b = x", "c = b"])):
        w.artifact(name, graph(*nodes), **id)
    w.record("inductor_post_grad_graph", {}, graph("b = x", "c = b"), **id)
    w.artifact("before_joint_graph", graph("alone"), **id)
    page = bench.page("passes", write(bench, "passes", w))
    page.open()
    page.run("openAll")
    page.equal("passes and what they changed", [
        ["Pre-grad passes", "nothing"], ["fuse", "5 \u2192 4 lines compare"],
        ["0.Quantize", "4 \u2192 5 lines compare"],
        ["Post-grad passes, the rest", "nothing"], ["Post-grad passes, all", "5 \u2192 5 lines compare"],
    ], page.browser.run(PASSES))
    page.browser.run("document.querySelectorAll('.passes button.compare')[1].click()")
    page.run("appears", ".comparison table")
    page.equal("a pass beside the graph before it", [graph("b = x").rstrip("\n"), graph("b = x", "c = b").rstrip("\n")],
               [side.rstrip("\n") for side in page.browser.run(SIDES)])


PASSES = """
return Array.from(document.querySelectorAll(".passes tbody tr"), (row) =>
  [row.cells[0], row.cells[3]].map((cell) => cell.textContent.trim().replace(/\\s+/g, " ")));
"""


# --- vLLM -------------------------------------------------------------------------------------------------------------


def vllm_call():
    w, id = Writer(), {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}
    w.start("f", 3, **id)
    w.artifact("vllm_compile_event", json.dumps({"type": "fresh_compile"}), "json", **id)
    w.artifact("vllm_compilation_config", json.dumps({"model": "shop/tiny", "mode": "VLLM_COMPILE"}), "json", **id)
    for piece, begin, end in ((0, 1, 64), (1, 1, 64), (0, 8, 8)):
        w.artifact("vllm_piecewise_compile_start", json.dumps({
            "piecewise_index": piece, "submod_name": f"submod_{piece}", "total": 2, "compile_range_start": begin,
            "compile_range_end": end, "is_single_size": begin == end, "is_cudagraph_capture_size": False}), "json", **id)
        w.ms += 1000 * (piece + 1)
        w.record("inductor_output_code", {}, f"piece {piece}", **id)
    return w


def test_vllm(bench):
    page = bench.page("vLLM", write(bench, "vLLM", vllm_call()))
    page.open()
    page.run("openAll")
    page.equal("subgraphs by sizes", [
        ["Subgraph", "1 to 64", "size 8"], ["submod_0", "1.00 s code 1 artifact", "1.00 s code 1 artifact"],
        ["submod_1", "2.00 s code 1 artifact", ""], ["all", "3.00 s", "1.00 s"]], page.browser.run(MATRIX))
    page.point("settings are shown", "shop/tiny" in page.browser.run("return document.querySelector('.vllm').innerText"))
    page.browser.run("document.querySelectorAll('.vllm a[href^=\\'#a-\\']')[2].click()")
    page.run("appears", ".artifact:target .payload pre")
    page.equal("a link leads to the code of a piece", "piece 0",
               page.browser.run("return document.querySelector('.artifact:target .payload pre').textContent"))
    page.check("tables have headers", "tables")
    page.check("headings are in order", "structure")


MATRIX = """
return Array.from(document.querySelectorAll(".vllm table:not(.keys) tr"), (row) =>
  Array.from(row.cells, (cell) => cell.textContent.trim().replace(/\\s+/g, " ")));
"""

# --- linked panes -----------------------------------------------------------------------------------------------------


def test_lineage(bench):
    """From the user's line to the kernels and back, with maps of provenance."""
    page = bench.page("lineage", bench.trace("provenance"))
    page.browser.width(1400)
    page.open("#" + graph_ids(page)[0] + ":S2")
    page.run("appears", ".panes .row.linked")
    code = text_of(bench.trace("provenance"), "inductor_output_code").split("\n")
    check_linked(page, "a line leads to its nodes and kernels", {
        "source": ["y = (x @ w).relu()"], "before": ["matmul", "y"], "after": ["mm", "relu"],
        "kernels": ["extern_kernels.mm", "cpp_fused_div_relu_sum_0"]})
    linked = {number for number, *_ in page.browser.run(LINES, ".pane.code", "linked")}
    kernels = ("extern_kernels.mm(", "cpp_fused_div")
    calls = {number for number, line in enumerate(code, 1) if line.strip().startswith(kernels)}
    page.empty("and to their calls and definitions in the code", sorted(calls - linked))
    page.browser.run("document.querySelector('.pane.kernels .text').focus()")
    page.browser.press(DOWN)
    check_linked(page, "a kernel leads back, with the keyboard", {
        "source": ["y = (x @ w).relu()"], "before": ["matmul"], "after": ["mm"], "kernels": ["extern_kernels.mm"]})
    page.point("it is said", page.browser.run(SAID).startswith("extern_kernels.mm: 1 line of yours; 1 node before"),
               page.browser.run(SAID))
    page.point("the address remembers it", page.browser.run(HASH).endswith(":K1"), page.browser.run(HASH))
    page.equal("so does the table of kernels", ["extern_kernels.mm"], page.browser.run(
        "return Array.from(document.querySelectorAll('table.kernels tr.linked'), (row) => row.cells[0].textContent)"))
    check_hover(page)
    check_panes(page)
    check_place_link(page)
    page.quiet("while links are followed")


SAID = "return document.querySelector('.panes .said').textContent"


def graph_ids(page):
    page.open()
    return page.browser.run("return Array.from(document.querySelectorAll('.graph'), (e) => e.id)")


def check_linked(page, what, expected, how="linked"):
    """Marked lines of panes: of graphs the names of their nodes."""
    found = {pane: [text.strip() for _, text, _ in page.browser.run(LINES, f".pane.{pane}", how)] for pane in expected}
    for pane in {"before", "after"} & {*expected}:
        found[pane] = [text.split(":")[0].split(" ")[0] for text in found[pane] if not text.startswith("#")]
    page.equal(what, expected, found)
    shown = [pane for pane in expected if how == "linked" and not any(
        visible for *_, visible in page.browser.run(LINES, f".pane.{pane}", how))]
    page.empty(f"{what}: every pane shows it", shown)


def check_hover(page):
    page.browser.run("""
const row = Array.from(document.querySelectorAll(".pane.after .row")).find((row) => /^ *sum_1/.test(row.textContent));
row.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));""")
    check_linked(page, "a node that is pointed at", {
        "source": ["return y / y.sum(dim=1, keepdim=True)"], "kernels": ["cpp_fused_div_relu_sum_0"]}, "hover")
    page.browser.run("document.querySelector('.pane.after .text').dispatchEvent(new MouseEvent('mouseleave'))")
    page.equal("and is left", [0], page.run("counts", [".panes .hover"]))


def check_panes(page):
    page.run("openAll")
    page.check("controls have names and can be reached", "controls")
    for scheme in ("dark", "light"):
        page.browser.scheme(scheme)
        page.check(f"contrast of texts, {scheme}", "contrast")
    fill = "Array.from(document.querySelectorAll('.panes button')).find((b) => b.textContent === 'Fill the window')"
    page.browser.run(f"{fill}.click(); {fill}.focus();")
    box = page.browser.run("const box = document.querySelector('.panes').getBoundingClientRect(); "
                           "return [box.left, box.top, box.width]")
    page.equal("fills the window", [0, 0, page.browser.run("return document.documentElement.clientWidth")], box)
    page.browser.press("\ue00c")
    page.equal("Escape ends that", [0], page.run("counts", [".panes.full"]))
    page.browser.width(400)
    page.check("does not scroll sideways", "sideways")
    page.browser.width(1400)


def check_place_link(page):
    """A place that a graph names in its payload."""
    page.open()
    page.browser.run(OPEN_AT, "inductor_post_grad_graph", 1)
    page.run("appears", ".payload a.source")
    page.browser.run("document.querySelectorAll('.payload a.source')[1].click()")
    page.run("appears", ".panes .row.current")
    current = page.browser.run(LINES, ".pane.source", "current")
    page.equal("a place in a graph leads to the line", ["return y / y.sum(dim=1, keepdim=True)"],
               [text for _, text, _ in current])


TRITON = """# AOT ID: ['0_%s']
# Topologically Sorted Source Nodes: [%s], Original ATen: [aten.relu]
# Graph fragment:
#   %%%s : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (), kwargs = {})
%s = async_compile.triton('k', '''
def k():
    pass
''')
def call(args):
    buf0 = empty_strided_cuda((8, 4), (4, 1), torch.float32)
    %s.run(buf0, 8, stream=stream0)
"""


def two_graphs():
    """Forward and backward of one compile, with comments and no maps; names of nodes are the same in both."""
    w, id = Writer(), {"frame_id": 0, "frame_compile_id": 0, "attempt": 0}
    w.start("f", 3, **id)
    w.artifact("before_pre_grad_graph", graph("# File: /x/model.py:4 in f, code: y = x.relu()", "y = x.relu()"), **id)
    for side, line, node in (("forward", 4, "relu"), ("backward", 9, "relu")):
        w.artifact("before_post_grad_graph", graph("later"), **id)
        place = f"# File: /x/model.py:{line} in f, code: {side}()"
        w.record("inductor_post_grad_graph", {}, graph(place, f"{node} = x"), **id)
        kernel = f"triton_{side}"
        w.record("inductor_output_code", {}, TRITON % (side, "y", node, kernel, kernel), **id)
        w.artifact("inductor_provenance_tracking_node_mappings", json.dumps({}), "json", **id)
    return w


CPP = """#include <torch/csrc/inductor/aoti_torch/c/shim.h>
extern "C" void cpp_fused_relu_0(const float* in_ptr0, float* out_ptr0);
void AOTInductorModel::run_impl(AtenTensorHandle* input_handles) {
    // Topologically Sorted Source Nodes: [linear], Original ATen: [aten.addmm]
    AtenTensorHandle buf0_handle;
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_empty_strided(2, int_array_0, &buf0_handle));
    AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_addmm_out(buf0, b, x, w, 1L, 1L));
    // Topologically Sorted Source Nodes: [y], Original ATen: [aten.relu]
    // [Provenance debug handles] cpp_fused_relu_0:1
    cpp_fused_relu_0((const float*)(buf0.data_ptr()), (float*)(buf1.data_ptr()));
}
"""


def aoti():
    """As AOTInductor of 2.8 leaves it: C++ code, no compile id, and a map in which names of two graphs meet."""
    w = Writer()
    before = ("class GraphModule(torch.nn.Module):", "    def forward(self, x):",
              "        # File: /x/model.py:4 in f, code: y = self.fc(x)", "        linear = torch.linear(x)",
              "        # File: /x/model.py:5 in f, code: z = torch.addmm(y)", "        addmm = torch.addmm(linear)",
              "         # graph id: 139811696436544")
    after = ("class GraphModule(torch.nn.Module):", "    def forward(self, x):", "        mm = torch.ops.aten.mm(x)",
             "        relu = torch.ops.aten.relu(mm)")
    source = {"name": "linear", "graph_id": 139811696436544, "from_node": []}
    between = {"name": "addmm", "graph_id": 139811521629216, "from_node": [source]}
    created = {"name": "addmm", "graph_id": 17, "from_node": []}
    w.artifact("before_pre_grad_graph", "\n".join(before))
    w.artifact("after_post_grad_graph", "\n".join(after))
    w.artifact("inductor_post_to_pre_grad_nodes", json.dumps({"mm": [between, created], "relu": [between]}), "json")
    w.record("graph_dump", {"name": "inductor_aot_wrapper_code", "type": "cpp"}, CPP)
    w.artifact("inductor_triton_kernel_to_post_grad_nodes",
               json.dumps({"aoti_torch_cpu_addmm_out": ["mm"], "cpp_fused_relu_0:1": ["relu"]}), "json")
    return w


def test_aoti(bench):
    """C++ code is linked, and no node of a graph in between passes for one of the first graph."""
    page = bench.page("aoti", write(bench, "aoti", aoti()))
    [id] = graph_ids(page)
    page.open(f"#{id}:B4")
    page.run("appears", ".panes .row.linked")
    check_linked(page, "AOTInductor: a node leads to kernels in C++", {
        "source": ["y = self.fc(x)"], "before": ["linear"], "after": ["mm", "relu"],
        "kernels": ["aoti_torch_cpu_addmm_out", "cpp_fused_relu_0"]})
    linked = {number for number, *_ in page.browser.run(LINES, ".pane.code", "linked")}
    page.equal("AOTInductor: lines of the C++ code", {4, 5, 6, 7, 8, 9, 10}, linked)
    page.open(f"#{id}:K2")
    page.run("appears", ".panes .row.current")
    check_linked(page, "AOTInductor: a kernel with a handle leads back", {
        "source": ["y = self.fc(x)"], "before": ["linear"], "after": ["relu"], "kernels": ["cpp_fused_relu_0"]})
    page.open(f"#{id}:S3")
    page.run("appears", ".panes .row.current")
    check_linked(page, "AOTInductor: a name that a graph in between has, too", {
        "source": ["z = torch.addmm(y)"], "before": ["addmm"]})
    page.equal("AOTInductor: is no origin", [0, 0], page.run("counts", [".after .linked", ".kernels .linked"]))


def test_two_graphs(bench):
    page = bench.page("two graphs", write(bench, "two graphs", two_graphs()))
    ids = graph_ids(page)
    titles = page.browser.run("return Array.from(document.querySelectorAll('button.lineage'), (b) => b.textContent)")
    titles = [title.partition(":")[0] for title in titles]
    page.equal("each graph has its panes", ["Forward graph 0", "Backward graph 0"], titles)
    for id, side, line in zip(ids, ("forward", "backward"), (4, 9)):
        page.open(f"#{id}:K1")
        page.run("appears", ".panes .row.linked")
        check_linked(page, f"comments link the {side} graph", {
            "source": [f"{side}()"], "after": ["relu"], "kernels": [f"triton_{side}"]})
        numbers = page.browser.run("return Array.from(document.querySelectorAll('.pane.source .row.linked'), "
                                   "(row) => row.dataset.number)")
        page.equal(f"the line of the {side} graph has its own number", [str(line)], numbers)
    page.open(f"#{ids[0]}:B4")
    page.run("appears", ".panes .row.linked")
    check_linked(page, "without maps nodes of the same line belong together", {
        "source": ["forward()"], "before": ["y"], "after": ["relu"], "kernels": ["triton_forward"]})
    page.equal("kernels of both are in the table", [["triton_forward", "1", "0_forward", "model.py:4"],
                                                    ["triton_backward", "1", "0_backward", "model.py:9"]],
               page.browser.run(KERNELS))


KERNELS = """
document.querySelector("details.code").open = true;
return Array.from(document.querySelectorAll("table.kernels tbody tr"),
  (row) => [0, 2, 3, 4].map((i) => row.cells[i].textContent.trim()));
"""

def test_hostile_code(bench):
    """What scripts make of hostile texts: payloads, comparisons and panes."""
    folder = bench.temp / "hostile code trace"
    folder.mkdir()
    (folder / "dedicated_log_torch_trace_a.log").write_bytes(hostile_code().data)
    page = bench.page("hostile code", folder)
    page.open()
    page.run("openAll")
    page.browser.run(OPEN_EVERYTHING)
    page.run("appears", ".panes")
    page.run("appears", ".comparison table")
    opened = page.run("counts", [".payload pre", ".comparison table", ".panes"])
    page.point("payloads, a comparison and panes are open", min(opened) > 0, opened)
    page.check("no text of the trace ran", "pwned")
    page.check("holds no element, attribute or script but those of the templates", "foreign", page.bench.tags, page.bench.script)
    page.check("texts turn only their own direction", "directions")
    page.quiet("when everything is open")


OPEN_EVERYTHING = """
for (const button of document.querySelectorAll("button.open, button.compare, button.lineage")) button.click();
return new Promise((done) => setTimeout(done, 500));
"""


def hostile_code():
    """Markup and turned texts in every place that the page's scripts take apart."""
    w, bad = Writer(), "<img src=x onerror=pwned=1></pre><script>pwned=1</script>\u202e'\"`${pwned=1}"
    for number in (0, 1):
        id = {"frame_id": 0, "frame_compile_id": number, "attempt": 0}
        w.start("f", 3, **id)
        nodes = [f"# File: {bad}:4 in f, code: {bad}", f'relu: "{bad}" = {bad} {number}', bad]
        w.artifact("before_pre_grad_graph", graph(*nodes), **id)
        w.record("inductor_post_grad_graph", {}, graph(*nodes, bad * (number + 1)), **id)
        code = TRITON % (bad, bad, bad, "k" + bad.replace(" ", ""), "k" + bad.replace(" ", ""))
        w.record("inductor_output_code", {}, code + f"{number}\n# {bad}\n", **id)
        maps = {"preToPost": {bad: [bad], "relu": ["relu"]}, "cppCodeToPost": {bad: ["relu", bad], "k" + bad: ["relu"]}}
        w.artifact("inductor_provenance_tracking_node_mappings", json.dumps(maps), "json", **id)
    return w


TESTS = (test_code, test_languages, test_large, test_comparison, test_differences, test_graph_differences, test_any_two, test_passes,
         test_vllm, test_lineage, test_aoti, test_two_graphs, test_hostile_code)
