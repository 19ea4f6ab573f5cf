/* Payloads: unpacked from the page's blocks, colored, shown below the button that opens them. */
const viewer = (() => {
  const { element, action } = dom;
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

  const ENDINGS = { python: ".py", json: ".json", cpp: ".cpp" };

  /* "0_1_inductor_output_code.py": the compile, the name, and what it is written in. */
  function fileName(button) {
    const { name, language } = button.dataset, entry = button.closest("details.compile, details.code")?.id ?? "";
    const compile = /^[cg]-(?!none)(.+)$/.exec(entry)?.[1] ?? "", ending = ENDINGS[language] ?? ".txt";
    const full = (compile && compile + "_") + name.replace(/[^\w.-]+/g, "_");
    return full.endsWith(ending) ? full : full + ending;
  }

  function download(name, bytes) {
    const a = element("a");
    a.href = URL.createObjectURL(new Blob([bytes], { type: "text/plain" }));
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 1000);
  }

  /* JSON is one line. Its tokens stay as they are: a parser would round large numbers. */
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

  /* A bar above a text: what it is, and what can be done with it. */
  function barOf(title, ...parts) {
    const bar = element("div", "bar");
    bar.append(element("b", "", title), ...parts);
    return bar;
  }

  function wrapper(view) {
    const button = action("Wrap", () => {
      const wrapped = view.pre.classList.toggle("wrap");
      button.setAttribute("aria-pressed", wrapped);
    });
    button.setAttribute("aria-pressed", "false");
    return button;
  }

  const FOUND_MAX = 10000; // lines; who looks for more looks for something else

  function linesWith(view, text) {
    const wanted = text.toLowerCase(), found = [];
    for (let i = 0; wanted && i < view.lines.length && found.length < FOUND_MAX; i++)
      if (view.lines[i].toLowerCase().includes(wanted)) found.push(i + 1);
    return found;
  }

  /* ":120" is a line to go to, anything else a text to find. Enter leads on, with Shift back. */
  function finder(view) {
    const box = element("span", "find"), input = element("input"), count = element("span", "meta");
    let found = [], at = 0;
    const go = (step) => {
      at = found.length ? (at + step + found.length) % found.length : 0;
      view.mark("current", new Set(found.slice(at, at + 1)));
      if (found.length) view.show(found[at]);
      count.textContent = !input.value ? "" : found.length ? at + 1 + " of " + found.length +
        (found.length === FOUND_MAX ? " or more" : "") + ", line " + found[at] : "not found";
    };
    input.type = "search";
    input.placeholder = "Find, or :line";
    input.setAttribute("aria-label", "Find in " + view.area.getAttribute("aria-label") + ", or a colon and a line");
    count.setAttribute("aria-live", "polite");
    input.addEventListener("input", () => {
      const line = /^:(\d+)$/.exec(input.value);
      found = line ? [Math.min(Math.max(+line[1], 1), view.lines.length)] : linesWith(view, input.value);
      view.mark("found", new Set(line ? [] : found));
      at = 0;
      go(0);
    });
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      go(event.shiftKey ? -1 : 1);
    });
    box.append(input, count);
    return box;
  }

  /* A click on the number of a line makes the address one of this line; with Shift of all from the last one on. */
  function addressLines(view, anchor) {
    let from = 0;
    view.area.addEventListener("click", (event) => {
      const at = view.lineAt(event);
      if (!anchor || !at?.onNumber) return;
      const lines = event.shiftKey && from ? [from, at.line].sort((a, b) => a - b) : [at.line];
      if (!event.shiftKey) from = at.line;
      history.replaceState(null, "", "#" + anchor + ":L" + lines.join("-L"));
      markLines(view, lines[0], lines.at(-1));
    });
  }

  function markLines(view, first, last) {
    const lines = new Set();
    for (let line = first; line <= Math.min(last, view.lines.length); line++) lines.add(line);
    view.mark("target", lines);
  }

  const shown = new WeakMap(); // box of a payload -> its view

  function shownText(text, language) {
    return language === "json" && !text.includes("\n") ? indented(text) : text;
  }

  function shownPayload(button, bytes) {
    const text = decode(bytes), { name, language, anchor } = button.dataset;
    const box = element("div", "payload");
    const link = (words, place) => placeLink(button, words, place);
    const view = new code.View(shownText(text, language), language, name, { link });
    const compare = action("Compare with\u2026", () => diff.choose(button, compare, box));
    compare.setAttribute("aria-expanded", "false");
    addressLines(view, anchor);
    const close = () => { toggle(button); button.focus(); };
    const actions = [dom.copier("Copy", () => text), action("Download", () => download(fileName(button), bytes)),
      wrapper(view), compare, action("Close", close), finder(view)];
    box.append(barOf(name, ...actions), view.area);
    shown.set(box, view);
    return box;
  }

  /* Lines that an address names, "L12" or "L12-L20", in a payload that is open. */
  function showLines(box, lines) {
    const view = shown.get(box), [first, last] = (lines.match(/\d+/g) ?? []).map(Number);
    if (!view || !first) return;
    markLines(view, first, last ?? first);
    view.show(first);
  }

  /* A place that a graph names leads to the panes in which its nodes and kernels are linked. */
  function placeLink(button, words, place) {
    const entry = document.getElementById(button.closest("details.compile, details.code")?.id.replace(/^c-/, "g-"));
    if (!entry) return words;
    const link = element("a", "source", words);
    link.href = "#" + entry.id;
    link.dataset.file = place.file;
    link.dataset.line = place.line;
    return link;
  }

  const OPEN = ".payload:not(.comparison)"; // a comparison may stand beside it

  function close(button, box) {
    box.remove();
    button.setAttribute("aria-expanded", "false");
  }

  async function open(button) {
    const home = button.closest(".artifact");
    button.setAttribute("aria-expanded", "true");
    let box;
    try {
      box = shownPayload(button, await payload(button));
    } catch (error) {
      box = element("p", "payload", "This browser could not unpack the payload (" + error.message + ").");
    }
    if (button.getAttribute("aria-expanded") === "true" && !home.querySelector(OPEN)) home.append(box);
    return home.querySelector(OPEN);
  }

  async function toggle(button) {
    const box = button.closest(".artifact").querySelector(OPEN);
    if (box) close(button, box);
    else await open(button);
  }

  /* An address of lines, "#a-0-12:L7" or "#a-0-12:L7-L9", opens the payload there. */
  async function reveal() {
    const [, id, lines] = /^#(a-[\d-]+):(L\d+(?:-L\d+)?)$/.exec(location.hash) ?? [];
    const home = id && document.getElementById(id), button = home?.querySelector("button.open");
    if (!button) return;
    dom.expose(home);
    showLines(home.querySelector(OPEN) ?? await open(button), lines);
    home.scrollIntoView();
  }

  addEventListener("hashchange", reveal);
  reveal();

  return { toggle, text: async (button) => decode(await payload(button)), shownText, barOf, wrapper, finder };
})();
