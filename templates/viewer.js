/* Payloads: unpacked from the page's blocks, coloured, shown below the button that opens them. */
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

  function shownPayload(button, bytes) {
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
      box = shownPayload(button, await payload(button));
    } catch (error) {
      box = element("p", "payload", "This browser could not unpack the payload (" + error.message + ").");
    }
    if (button.getAttribute("aria-expanded") === "true" && !home.querySelector(".payload")) home.append(box);
  }

  return { toggle };
})();
