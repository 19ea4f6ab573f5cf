"use strict";
/* The report reads without this script. It opens payloads, sorts and filters tables, and follows links into details.
   Text from the trace is only ever set as textContent. */
(() => {
  const blocks = new Map(); // number -> promise of its bytes; the last few only
  const KEPT = 4;

  async function unpack(number) {
    const encoded = atob(document.getElementById("block-" + number).textContent);
    const bytes = new Uint8Array(encoded.length);
    for (let i = 0; i < encoded.length; i++) bytes[i] = encoded.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  function block(number) {
    if (!blocks.has(number)) {
      blocks.set(number, unpack(number));
      if (blocks.size > KEPT) blocks.delete(blocks.keys().next().value);
    }
    return blocks.get(number);
  }

  async function payload(button) {
    const { block: number, offset, length } = button.dataset;
    return (await block(number)).subarray(+offset, +offset + +length);
  }

  /* As it is: a decoder would take the mark of byte order off its beginning. */
  function decode(bytes) {
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  function element(name, className, text) {
    const e = document.createElement(name);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  }

  function action(text, run) {
    const b = element("button", "", text);
    b.type = "button";
    b.addEventListener("click", run);
    return b;
  }

  function download(name, bytes) {
    const a = element("a");
    a.href = URL.createObjectURL(new Blob([bytes], { type: "text/plain" }));
    a.download = name.replace(/[^\w.-]+/g, "_") + ".txt";
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  }

  async function copy(button, text) {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Could not copy";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  }

  /* JSON comes in one line. Its tokens stay as they are: a parser would round large numbers. */
  function indented(json) {
    try {
      JSON.parse(json);
    } catch {
      return json;
    }
    const tokens = json.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g) ?? [];
    let out = "", depth = 0;
    const newline = () => "\n" + "  ".repeat(depth);
    tokens.forEach((token, i) => {
      const empty = /[[{]/.test(tokens[i - 1]) && /[\]}]/.test(token);
      if (/^[\]}]$/.test(token)) depth--;
      if (/^[\]}]$/.test(token) && !empty) out += newline();
      out += token === ":" ? ": " : token;
      if (/^[[{]$/.test(token)) depth++;
      if (token === "," || (/^[[{]$/.test(token) && !/^[\]}]$/.test(tokens[i + 1]))) out += newline();
    });
    return out;
  }

  const WORDS = "and as assert async await break case class const continue def del do elif else except extern false " +
    "False finally float for from global if import in int inline is lambda None not or pass raise return static " +
    "struct template true True try typename using void while with yield";
  const STRINGS = "(\"{3}|'{3}|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)*')";
  const REST = "|\\b(" + WORDS.split(" ").join("|") + ")\\b|\\b(\\d[\\w.]*)";
  const SYNTAX = {
    python: new RegExp("(#[^\\n]*)|" + STRINGS + REST, "g"),
    cpp: new RegExp("(//[^\\n]*|#[^\\n]*)|" + STRINGS + REST, "g"),
    json: new RegExp("()" + STRINGS + REST, "g"),
  };
  SYNTAX.fx = SYNTAX.python;
  const KINDS = ["comment", "string", "keyword", "literal"];
  const COLOURED_MAX = 400000; // characters; colours of more would be slow

  /*
   * Colours a text without taking it apart: ranges in its node, where the browser has CSS highlights. Kernels stand in
   * their wrapper as a string: what is inside three quotes is code too. Returns what takes the colours away again.
   */
  function colour(pre, language) {
    const syntax = SYNTAX[language], node = pre.firstChild, ranges = [];
    if (!syntax || !window.Highlight || !node || node.length > COLOURED_MAX) return () => {};
    for (const match of node.data.matchAll(syntax)) {
      const kind = KINDS[match.slice(1).findIndex((group) => group)];
      if (!kind) continue;
      const range = new StaticRange({ startContainer: node, startOffset: match.index, endContainer: node,
        endOffset: match.index + match[0].length });
      if (!CSS.highlights.has(kind)) CSS.highlights.set(kind, new Highlight());
      CSS.highlights.get(kind).add(range);
      ranges.push([kind, range]);
    }
    return () => ranges.forEach(([kind, range]) => CSS.highlights.get(kind).delete(range));
  }

  const colours = new WeakMap(); // viewer -> what takes its colours away

  function viewer(button, bytes) {
    const text = decode(bytes);
    const box = element("div", "payload");
    const bar = element("div", "bar");
    const area = element("div", "text");
    const language = button.dataset.language;
    const shown = language === "json" && !text.includes("\n") ? indented(text) : text;
    const lines = shown.split("\n").length;
    const numbers = element("pre", "numbers", Array.from({ length: lines }, (_, i) => i + 1).join("\n"));
    numbers.setAttribute("aria-hidden", "true");
    area.tabIndex = 0;
    area.setAttribute("role", "group");
    area.setAttribute("aria-label", button.dataset.name);
    const code = element("pre", "", shown);
    area.append(numbers, code);
    colours.set(box, colour(code, language));
    const copier = action("Copy", () => copy(copier, text));
    bar.append(element("b", "", button.dataset.name), copier,
      action("Download", () => download(button.dataset.name, bytes)),
      action("Close", () => { toggle(button); button.focus(); }));
    box.append(bar, area);
    return box;
  }

  async function toggle(button) {
    const home = button.closest(".artifact");
    const open = home.querySelector(".payload");
    if (open) {
      colours.get(open)?.();
      open.remove();
      button.setAttribute("aria-expanded", "false");
      return;
    }
    button.setAttribute("aria-expanded", "true");
    let box;
    try {
      box = viewer(button, await payload(button));
    } catch (error) {
      box = element("p", "payload", "This browser could not unpack the payload (" + error.message + ").");
    }
    if (button.getAttribute("aria-expanded") === "true" && !home.querySelector(".payload")) home.append(box);
  }

  function sortKey(row, column) {
    const cell = row.cells[column];
    const text = cell.dataset.sort ?? cell.textContent.trim();
    const number = parseFloat(text.replace(/,/g, ""));
    return { text, number: Number.isNaN(number) ? null : number };
  }

  /* Times are text with units: the same order as their length in microseconds. */
  const UNITS = { "\u00b5s": 1, ms: 1e3, s: 1e6, min: 6e7, h: 3.6e9 };
  function comparable(key) {
    const m = /^([\d.,]+) (\u00b5s|ms|s|min|h)\b(?: ([\d.]+) (s|min))?/.exec(key.text);
    if (m) return parseFloat(m[1]) * UNITS[m[2]] + (m[3] ? parseFloat(m[3]) * UNITS[m[4]] : 0);
    return key.number;
  }

  function compare(a, b) {
    const x = comparable(a), y = comparable(b);
    if (x !== null && y !== null) return x - y;
    if (x !== null || y !== null) return x === null ? -1 : 1;
    return a.text.localeCompare(b.text);
  }

  function sortBy(table, header, column) {
    const descending = header.getAttribute("aria-sort") !== "descending";
    const rows = Array.from(table.tBodies[0].rows, (row) => ({ row, key: sortKey(row, column) }));
    rows.sort((a, b) => (descending ? -1 : 1) * compare(a.key, b.key));
    for (const th of header.parentNode.cells) th.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
    table.tBodies[0].append(...rows.map((r) => r.row));
  }

  function makeSortable(table) {
    Array.from(table.tHead.rows[0].cells).forEach((header, column) => {
      if (!header.textContent.trim()) return;
      const button = action(header.textContent, () => sortBy(table, header, column));
      header.textContent = "";
      header.append(button);
    });
  }

  function makeFilterable(table) {
    const bar = element("div", "filter");
    const label = element("label", "", "Filter ");
    const input = element("input");
    const count = element("span", "meta");
    count.setAttribute("aria-live", "polite");
    input.type = "search";
    input.placeholder = "function, status, file … (press /)";
    input.id = "filter";
    label.htmlFor = input.id;
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((w) => text.includes(w));
        shown += !row.hidden;
      }
      count.textContent = words.length ? shown + " of " + table.tBodies[0].rows.length : "";
    });
    bar.append(label, input, count);
    table.closest(".scroll").before(bar);
  }

  /* A link to something inside closed details opens them. */
  function reveal() {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let e = target; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    const button = target.matches(".artifact") && target.querySelector("button.open[aria-expanded=\"false\"], button.open:not([aria-expanded])");
    if (button) toggle(button);
    target.scrollIntoView();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.open");
    if (button) toggle(button);
  });
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      document.getElementById("filter").focus();
    }
  });
  document.querySelectorAll("table.sortable").forEach(makeSortable);
  document.querySelectorAll("table.filterable").forEach(makeFilterable);
  addEventListener("hashchange", reveal);
  reveal();
})();
