/*
 * From the user's line to the kernel and back, in linked panes: lines, the graph before the pre-grad passes, the graph
 * after the post-grad passes, kernels, output code. What is linked is read from the provenance maps where the trace has
 * them, else from the comments in graphs and code.
 */
const lineage = (() => {
  const { element, action } = dom;
  const LEVELS = ["source", "before", "after", "kernels", "code"]; // neighbors are linked
  const LETTERS = { source: "S", before: "B", after: "A", kernels: "K", code: "C" }; // in addresses
  const LANGUAGES = { source: "python", before: "fx", after: "fx", kernels: "text", code: "python" };
  const TITLES = { source: "Your lines", before: "Graph before the passes", after: "Graph after the passes",
    kernels: "Kernels, as they are called", code: "Output code" };

  /* Links between the lines of two levels, both ways. */
  class Links {
    constructor() {
      this.maps = new Map();
    }

    #of(from, to) {
      const key = from + " " + to;
      return this.maps.get(key) ?? this.maps.set(key, new Map()).get(key);
    }

    add(from, line, to, other) {
      for (const [map, a, b] of [[this.#of(from, to), line, other], [this.#of(to, from), other, line]]) {
        if (!map.has(a)) map.set(a, new Set());
        map.get(a).add(b);
      }
    }

    has(from, to) {
      return this.#of(from, to).size > 0;
    }

    /* Lines of `to` that the lines of `from` lead to. */
    across(from, to, lines) {
      const map = this.#of(from, to), found = new Set();
      for (const line of lines) for (const other of map.get(line) ?? []) found.add(other);
      return found;
    }
  }

  /* --- what a graph says --- */

  /* Nodes by name, and the user's line of each: {nodes: name -> line, places: [[line, place]]}. */
  function readGraph(text) {
    const nodes = new Map(), places = [];
    let place = null;
    text.split("\n").forEach((line, i) => {
      const trimmed = line.trimStart();
      if (trimmed.startsWith("#")) {
        place = colors.place(line);
        if (place) places.push([i + 1, place]);
        return;
      }
      const name = /^(\w+)(?:: "| = )/.exec(trimmed)?.[1];
      if (!name) return;
      if (!nodes.has(name)) nodes.set(name, i + 1);
      if (place) places.push([i + 1, place]);
    });
    return { nodes, places };
  }

  /* The user's lines that graphs name, file by file: a text, the number before each of its lines, where a line is. */
  function readSource(graphs) {
    const files = new Map();
    for (const { places } of graphs) for (const [, { file, line, code: words }] of places) {
      if (!files.has(file)) files.set(file, new Map());
      if (words || !files.get(file).has(line)) files.get(file).set(line, words);
    }
    const lines = [], numbers = [], at = new Map();
    for (const [file, known] of files) {
      lines.push("# " + file);
      numbers.push("");
      for (const [line, words] of [...known].sort(([a], [b]) => a - b)) {
        lines.push(words);
        numbers.push(line);
        at.set(file + ":" + line, lines.length);
      }
    }
    return { text: lines.join("\n"), numbers, at };
  }

  /* --- what the code says --- */

  const LIBRARY = /^(?:extern_kernels|torch\.ops|aten)\./;

  /* Definitions and calls of kernels, and what the comments above them say. */
  function readCode(text) {
    const definitions = new Map(), calls = [];
    let sources = [], nodes = [], handle = "", first = 0, open = null;
    const lines = text.split("\n");
    const take = () => {
      const taken = { sources, nodes, handle, first };
      [sources, nodes, handle, first] = [[], [], "", 0];
      return taken;
    };
    lines.forEach((raw, i) => {
      const line = raw.trim();
      if (open) {
        open.lines.push(i + 1);
        if (line.includes("'''")) open = null;
        return;
      }
      if (line.startsWith("#")) {
        const list = /Source Nodes: \[(.*?)\]/.exec(line);
        first ||= i + 1;
        if (list) [sources, nodes, first] = [list[1].split(", ").filter(Boolean), [], i + 1];
        else if (line.startsWith("#   %") && line.includes("= call_")) nodes.push(line.slice(5).split(" ")[0]);
        else if (line.includes("[Provenance debug handles] ")) handle = line.split("handles] ")[1].split(",")[0];
        return;
      }
      const equals = line.indexOf(" = "), name = line.slice(0, Math.max(equals, 0));
      const value = equals < 0 ? line : line.slice(equals + 3);
      if (name && value.startsWith("async_compile.")) {
        const taken = take(), from = taken.first || i + 1;
        const definition = { ...taken, lines: Array.from({ length: i + 2 - from }, (_, k) => from + k) };
        definitions.set(name, definition);
        const quotes = value.indexOf("'''");
        if (quotes >= 0 && !value.includes("'''", quotes + 3)) open = definition;
        return;
      }
      const called = (value.includes("(") ? value.slice(0, value.indexOf("(")) : "").replace(/\.run$/, "");
      if (definitions.has(called) || LIBRARY.test(called)) {
        const taken = take();
        calls.push({ name: called, ...taken, lines: [...(taken.first ? range(taken.first, i) : []), i + 1] });
      } else if (!line) {
        take();
      }
    });
    return { definitions, calls };
  }

  /* Where AOTInductor's C++ runs the model; what is before it declares and loads. */
  const CPP_RUN = "::run_impl(";

  /* The same of C++ code: `names` are the kernels that maps know, which include functions of libraries. */
  function readCpp(text, names) {
    const calls = [], lines = text.split("\n"), run = lines.findIndex((line) => line.includes(CPP_RUN));
    let sources = [], handle = "", first = 0;
    lines.forEach((raw, i) => {
      const line = raw.trim();
      const called = [...line.matchAll(/\b(\w+)\(/g)].map(([, name]) => name.replace(/^call_(?=\w)/, ""))
        .find((name) => names.has(name) || /^(?:triton_|cpp_fused_)/.test(name));
      if (i < run || !line) {
        [sources, handle, first] = [[], "", 0];
      } else if (line.startsWith("//")) {
        const list = /Source Nodes: \[(.*?)\]/.exec(line);
        first ||= i + 1;
        if (list) [sources, first] = [list[1].split(", ").filter(Boolean), i + 1];
        else if (line.includes("[Provenance debug handles] ")) handle = line.split("handles] ")[1].split(",")[0].trim();
      } else if (called) {
        calls.push({ name: called, sources, nodes: [], handle, first,
          lines: [...(first ? range(first, i) : []), i + 1] });
        [sources, handle, first] = [[], "", 0];
      }
    });
    return { definitions: new Map(), calls };
  }

  const range = (from, to) => Array.from({ length: Math.max(0, to - from + 1) }, (_, k) => from + k);

  /* --- what the maps say --- */

  const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const list = (value) => (Array.isArray(value) ? value.filter((item) => typeof item === "string") : []);

  const pairs = (map) =>
    (isObject(map) ? Object.entries(map).flatMap(([key, all]) => list(all).map((one) => [key, one])) : []);

  /*
   * "postToPre" of 2.7 nests: the node it came from, and so on, through graphs in between, which may have other nodes
   * of the same names. Nodes of the graph before the passes, by its id; without an id those that came of no other.
   */
  function origins(value, id, found = [], depth = 0) {
    if (depth < 20) for (const item of Array.isArray(value) ? value : []) {
      const from = Array.isArray(item?.from_node) ? item.from_node : [];
      if (typeof item?.name === "string" && item.name && (id ? String(item.graph_id) === id : !from.length))
        found.push(item.name);
      origins(from, id, found, depth + 1);
    }
    return found;
  }

  /* Pairs [node before, node after] and [kernel, node after] of all maps. `id` is the graph's before the passes. */
  function readMaps(maps, id) {
    const nodes = [], kernels = [];
    const summed = maps.some(({ value }) => isObject(value) && isObject(value.preToPost));
    for (const { name, value } of maps.filter(({ value }) => isObject(value))) {
      if (name === "inductor_post_to_pre_grad_nodes") {
        if (!summed)
          for (const after in value)
            for (const before of origins(value[after], id)) nodes.push([before, after]);
      } else if (!name.endsWith("node_mappings")) {
        for (const pair of pairs(value)) kernels.push(pair);
      } else {
        for (const pair of pairs(value.preToPost)) nodes.push(pair);
        for (const pair of pairs(value.postToPre)) nodes.push(pair.reverse());
        for (const pair of pairs(value.cppCodeToPost).concat(pairs(value.pyCodeToPost))) kernels.push(pair);
      }
    }
    return { nodes, kernels };
  }

  /* --- all of it together --- */

  /* {texts, numbers, links, at, calls, nodes} of texts {before, after, code} and maps [{name, value}]. */
  function connect(texts, maps) {
    const links = new Links(), graphs = { before: readGraph(texts.before ?? ""), after: readGraph(texts.after ?? "") };
    const source = readSource([graphs.before, graphs.after]);
    const known = readMaps(maps, /^\s*# graph id: (\d+)\s*$/m.exec(texts.before ?? "")?.[1]);
    const { definitions, calls } = texts.code?.includes(CPP_RUN)
      ? readCpp(texts.code, new Set(known.kernels.map(([key]) => kernelName(key)))) : readCode(texts.code ?? "");
    for (const side of ["before", "after"])
      for (const [line, { file, line: own }] of graphs[side].places)
        links.add("source", source.at.get(file + ":" + own), side, line);
    linkNodes(links, graphs, known.nodes);
    calls.forEach((call, i) => linkCall(links, graphs, call, i + 1, definitions.get(call.name), known.kernels));
    return { texts: { ...texts, source: source.text, kernels: calls.map((call) => call.name).join("\n") },
      numbers: { source: source.numbers }, at: source.at, links, calls,
      nodes: { before: new Set(graphs.before.nodes.values()), after: new Set(graphs.after.nodes.values()) } };
  }

  function linkNodes(links, graphs, pairs) {
    for (const [before, after] of pairs) {
      const [a, b] = [graphs.before.nodes.get(before), graphs.after.nodes.get(after)];
      if (a && b) links.add("before", a, "after", b);
    }
  }

  const kernelName = (key) => key.replace(/:\d+$/, "");

  /* A call is linked to what the maps say of it by number, else of its kernel, else to what comments say. */
  function linkCall(links, graphs, call, number, definition, known) {
    for (const line of [...call.lines, ...(definition?.lines ?? [])]) links.add("kernels", number, "code", line);
    const exact = known.filter(([key]) => key === call.handle);
    const mapped = exact.length ? exact : call.handle ? [] : known.filter(([key]) => kernelName(key) === call.name);
    const nodes = mapped.length ? mapped.map(([, node]) => node) : [...call.nodes, ...(definition?.nodes ?? [])];
    for (const node of nodes) {
      const line = graphs.after.nodes.get(node);
      if (line) links.add("after", line, "kernels", number);
    }
    for (const node of nodes.length ? [] : [...call.sources, ...(definition?.sources ?? [])]) {
      const before = graphs.before.nodes.get(node), after = graphs.after.nodes.get(node);
      if (before) links.add("before", before, "kernels", number);
      else if (after) links.add("after", after, "kernels", number);
    }
  }

  /* Lines of every level that belong to a line of one: outwards from it to both ends. Without a map between the nodes
     of the two graphs, those belong together that came from the same line. */
  function related(links, level, line) {
    const found = Object.fromEntries(LEVELS.map((name) => [name, new Set()])), start = LEVELS.indexOf(level);
    const via = (from, to) => {
      for (const other of links.across(from, to, found[from])) found[to].add(other);
    };
    found[level].add(line);
    for (let i = start; i > 0; i--) {
      for (let k = LEVELS.length - 1; k >= i; k--) if (k <= start) via(LEVELS[k], LEVELS[i - 1]);
    }
    if (!links.has("before", "after"))
      for (const side of ["before", "after"]) if (!found[side].size) via("source", side);
    for (let i = start; i < LEVELS.length - 1; i++)
      for (let k = start; k <= i; k++) via(LEVELS[k], LEVELS[i + 1]);
    return found;
  }

  /* --- the panes --- */

  class Panes {
    constructor(button, data) {
      Object.assign(this, { button, ...data, views: {}, selected: null });
      this.home = button.closest(".graph");
      this.box = element("div", "panes");
      this.said = element("p", "meta said");
      this.said.setAttribute("aria-live", "polite");
      this.fill = action("Fill the window", () => this.#fill());
      this.fill.setAttribute("aria-pressed", "false");
      this.box.append(viewer.barOf(button.textContent, this.fill, action("Close", () => this.close())), this.said);
      for (const level of LEVELS) if (this.texts[level]) this.box.append(this.#pane(level));
      this.box.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && this.box.classList.contains("full")) this.#fill();
      });
      this.said.textContent = this.#hint();
    }

    #hint() {
      const linked = this.calls.some((_, i) => this.links.across("kernels", "after", [i + 1]).size +
        this.links.across("kernels", "before", [i + 1]).size);
      return "Select a line to mark its counterparts in every pane. Arrow keys move to the next line with links." +
        (this.links.has("before", "after") ? "" : " Nodes of the two graphs are linked by the line they came from.") +
        (linked || !this.calls.length ? "" :
          " The trace does not say which nodes became which kernel: INDUCTOR_PROVENANCE=1 records it.");
    }

    #pane(level) {
      const pane = element("div", "pane " + level), numbers = this.numbers[level];
      const view = new code.View(this.texts[level], LANGUAGES[level], TITLES[level], { numbers });
      const hover = (line) => this.#mark("hover", level, line);
      this.views[level] = view;
      view.area.addEventListener("click", (event) => this.#at(event, level, (line) => this.select(level, line)));
      view.area.addEventListener("mouseover", (event) => this.#at(event, level, hover));
      view.area.addEventListener("mouseleave", () => this.#unmark("hover"));
      view.area.addEventListener("keydown", (event) => this.#key(event, level));
      pane.append(element("b", "title", TITLES[level]), view.area);
      return pane;
    }

    #at(event, level, run) {
      const at = this.views[level].lineAt(event);
      if (at) run(at.line);
    }

    #isLinked(level, line) {
      return LEVELS.some((other) => other !== level && this.links.across(level, other, [line]).size);
    }

    #key(event, level) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], count = this.views[level].lines.length;
      if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      let line = this.selected?.level === level ? this.selected.line + step : step > 0 ? 1 : count;
      while (line >= 1 && line <= count && !this.#isLinked(level, line)) line += step;
      if (line >= 1 && line <= count) this.select(level, line);
    }

    #mark(name, level, line) {
      const found = related(this.links, level, line);
      for (const other in this.views) this.views[other].mark(name, found[other]);
      return found;
    }

    #unmark(name) {
      for (const other in this.views) this.views[other].mark(name, new Set());
    }

    /* Marks what belongs to a line, brings it into view in every pane, and says it. */
    select(level, line) {
      const found = this.#mark("linked", level, line);
      this.selected = { level, line };
      for (const other in this.views) {
        this.views[other].mark("current", new Set(other === level ? [line] : []));
        const lines = other === level ? [line] : found[other];
        const first = [...lines].reduce((least, one) => Math.min(least, one), Infinity);
        if (first < Infinity) this.views[other].show(first);
      }
      this.said.textContent = this.#words(level, line, found);
      const names = new Set([...found.kernels].map((i) => this.calls[i - 1].name));
      for (const row of this.home.closest(".body").querySelectorAll("table.kernels tbody tr"))
        row.classList.toggle("linked", names.has(row.cells[0].textContent));
      history.replaceState(null, "", "#" + this.home.id + ":" + LETTERS[level] + line);
    }

    #words(level, line, found) {
      const counted = (n, one) => n + " " + one + (n === 1 ? "" : "s");
      const nodes = (side) => [...found[side]].filter((at) => this.nodes[side].has(at)).length;
      const calls = new Map();
      for (const i of found.kernels) calls.set(this.calls[i - 1].name, (calls.get(this.calls[i - 1].name) ?? 0) + 1);
      const names = [...calls].map(([name, count]) => name + (count > 1 ? " (" + count + " calls)" : ""));
      const kernels = ["no kernel", "kernel "][names.length] ?? "kernels ";
      const parts = [counted(found.source.size, "line") + " of yours", counted(nodes("before"), "node") +
        " before the passes", counted(nodes("after"), "node") + " after",
        kernels + names.slice(0, 5).join(", ") + (names.length > 5 ? " and " + (names.length - 5) + " more" : "")];
      return (this.texts[level].split("\n")[line - 1] ?? "").trim().slice(0, 100) + ": " + parts.join("; ");
    }

    #fill() {
      const full = this.box.classList.toggle("full");
      this.fill.setAttribute("aria-pressed", full);
    }

    close() {
      this.box.remove();
      open.delete(this.button);
      this.button.setAttribute("aria-expanded", "false");
      this.button.focus();
    }
  }

  const open = new Map(); // button -> promise of its panes

  const sourceOf = (anchor) => anchor && document.getElementById(anchor)?.querySelector("button.open");

  async function textOf(anchor) {
    const button = sourceOf(anchor);
    return button ? viewer.text(button) : undefined;
  }

  async function mapOf(anchor) {
    const button = sourceOf(anchor);
    try {
      return { name: button.dataset.name, value: JSON.parse(await viewer.text(button)) };
    } catch {
      return { name: "", value: null };
    }
  }

  async function make(button) {
    const { before, after, code: generated, maps } = button.dataset;
    button.setAttribute("aria-expanded", "true");
    const [a, b, c, ...known] = await Promise.all([textOf(before), textOf(after), textOf(generated),
      ...maps.split(" ").filter(Boolean).map(mapOf)]);
    const panes = new Panes(button, connect({ before: a, after: b, code: c }, known));
    panes.home.append(panes.box);
    return panes;
  }

  function panesOf(button) {
    if (!open.has(button)) open.set(button, make(button));
    return open.get(button);
  }

  /* From a place in a graph to the panes, in the graph of the compile that knows it. */
  async function follow(link) {
    const entry = document.getElementById(link.getAttribute("href").slice(1));
    const key = link.dataset.file + ":" + link.dataset.line;
    dom.expose(entry);
    for (const button of entry.querySelectorAll("button.lineage")) {
      const known = open.has(button), panes = await panesOf(button);
      if (panes.at.has(key)) {
        panes.home.scrollIntoView();
        panes.select("source", panes.at.get(key));
        return;
      }
      if (!known) panes.close();
    }
    entry.scrollIntoView();
  }

  /* An address of a line in a pane, "#g-0_1-0:S3". */
  async function reveal() {
    const [, id, letter, line] = /^#(g-[\w-]+):([SBAKC])(\d+)$/.exec(location.hash) ?? [];
    const home = id && document.getElementById(id), button = home?.querySelector("button.lineage");
    if (!button) return;
    dom.expose(home);
    const panes = await panesOf(button), level = LEVELS.find((name) => LETTERS[name] === letter);
    home.scrollIntoView();
    if (+line <= (panes.views[level]?.lines.length ?? 0)) panes.select(level, +line);
  }

  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a.source"), button = event.target.closest("button.lineage");
    if (link) {
      event.preventDefault();
      follow(link);
    } else if (button) {
      const known = open.get(button);
      if (known) (await known).close();
      else panesOf(button);
    }
  });
  addEventListener("hashchange", reveal);
  reveal();

  return { connect, related };
})();
