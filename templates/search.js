"use strict";
/* Search over everything: what stands in the page at once, the payloads when asked. */
(() => {
  const { element, action } = dom;
  const UNITS =
    "h2, .finding, summary, tbody tr, .trie > li, .tree > li, .steps > li, .hints > li, .notes > li, .artifact, " +
    ".stack > li, .facts > div, section p, section pre";
  const SHOWN_MAX = 60, PAYLOADS_MAX = 200, BEFORE = 40, AFTER = 110;

  const box = element("div", "search made"), input = element("input"), panel = element("div", "results made");
  const status = element("p", "meta"), list = element("ol");
  let index = null, turn = 0, opener = null;

  /* Without what scripts added, and without what has an entry of its own. */
  function textOf(e) {
    if (e.cells) return [...e.cells].map((cell) => cell.textContent).join(" ");
    if (!e.matches(".finding")) return e.textContent;
    const ofBody = (body) => [...body.children].filter((x) => !x.matches(".made, .finding"))
      .map((x) => (x.querySelector(":scope > pre") ?? x).textContent).join(" ");
    return [...e.childNodes].map((n) => n.nodeType !== Node.ELEMENT_NODE ? n.data
      : n.matches(".made, .finding") ? "" : n.matches(".body") ? ofBody(n) : n.textContent + " ").join("");
  }

  /* A unit is the smallest piece that says something alone; a finding is one piece. Examples are of no run. Read when
     it is first needed. */
  function makeIndex() {
    const units = [];
    for (const e of document.querySelectorAll("main :is(" + UNITS + "), header :is(.facts > div, .verdict)")) {
      const finding = e.closest(".finding");
      if ((finding && finding !== e) || (!finding && e.querySelector(UNITS))) continue;
      if (e.closest(".made, thead, .payload, .example")) continue;
      units.push({ e, ...whereabouts(e), text: textOf(e).replace(/\s+/g, " ").trim() });
    }
    return units.map((unit) => ({ ...unit, key: unit.text.toLowerCase() }));
  }

  /* {section: "Compiles", entry: "[0/1]"}: where a unit stands. */
  function whereabouts(e) {
    return { section: e.closest("section")?.querySelector("h2")?.textContent ?? "Report",
      entry: e.closest("details.compile")?.querySelector("summary .id")?.textContent ?? "" };
  }

  function snippet(text, words) {
    const low = text.toLowerCase(), phrase = low.indexOf(words.join(" "));
    const at = Math.max(phrase >= 0 ? phrase : low.indexOf(words[0]), 0), from = Math.max(at - BEFORE, 0);
    const line = element("span", "snippet"), part = text.slice(from, at + words[0].length + AFTER);
    if (from) line.append("\u2026");
    const pattern = new RegExp("(" + words.map((w) => w.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|") + ")", "gi");
    part.split(pattern).forEach((piece, i) => line.append(i % 2 ? element("mark", "", piece) : piece));
    return line;
  }

  function result(where, text, words, go) {
    const item = element("li"), button = action("", () => { close(); go(); });
    if (where) button.append(element("span", "meta", where));
    button.append(snippet(text, words));
    item.append(button);
    list.append(item);
  }

  function visit(e) {
    dom.expose(e.matches("summary") ? e.parentElement : e);
    const home = e.closest("[id]");
    if (home && home.tagName !== "SECTION") history.replaceState(null, "", "#" + home.id);
    e.scrollIntoView({ block: "center" });
    e.tabIndex = e.matches("summary") ? 0 : -1;
    e.focus({ preventScroll: true });
  }

  function search() {
    const words = dom.words(input.value);
    turn++;
    list.replaceChildren();
    panel.replaceChildren(status);
    panel.hidden = !words.length;
    if (!words.length) return;
    panel.style.top = input.getBoundingClientRect().bottom + 4 + "px";
    index ??= makeIndex();
    const found = index.filter((unit) => words.every((w) => unit.key.includes(w)));
    const counts = new Map();
    for (const unit of found) counts.set(unit.section, (counts.get(unit.section) ?? 0) + 1);
    let section = null;
    for (const unit of found.slice(0, SHOWN_MAX)) {
      if (unit.section !== section)
        list.append(element("li", "in-section", (section = unit.section) + " " + counts.get(section)));
      result(unit.entry, unit.text, words, () => visit(unit.e));
    }
    status.textContent = found.length ? found.length + (found.length === 1 ? " place" : " places") +
      (found.length > SHOWN_MAX ? ", the first " + SHOWN_MAX + " are shown" : "") : "Nothing in the page itself";
    offerPayloads(words);
    if (list.firstChild) panel.append(list);
  }

  /* Each payload once: several compiles may hold the same text. */
  function payloadButtons() {
    const seen = new Set();
    return [...document.querySelectorAll(".artifact button.open")].filter((b) => {
      const key = b.dataset.block + ":" + b.dataset.offset;
      return !seen.has(key) && seen.add(key);
    });
  }

  function offerPayloads(words) {
    const buttons = payloadButtons(), item = element("li");
    if (!buttons.length) return;
    item.append(action("Search in the " + buttons.length + (buttons.length === 1 ? " payload" : " payloads") + " too",
      () => { item.remove(); panel.append(list); searchPayloads(buttons, words); }));
    item.firstChild.className = "more";
    list.append(item);
  }

  async function searchPayloads(buttons, words) {
    const mine = turn, before = status.textContent;
    let hits = 0, read = 0;
    input.focus();
    for (const button of buttons) {
      if (mine !== turn) return;
      const shown = viewer.shownText(await viewer.text(button), button.dataset.language);
      hits += hitsIn(button, shown, words, PAYLOADS_MAX - hits);
      status.textContent = before + "; " + hits + " in " + ++read + " of " + buttons.length + " payloads";
      if (hits >= PAYLOADS_MAX) break;
      await new Promise((done) => setTimeout(done));
    }
    status.textContent = before + "; " + hits + (hits >= PAYLOADS_MAX ? " or more" : "") + " in the payloads";
  }

  /* Lines that hold all words. Most payloads hold none: they are not cut into lines. */
  function hitsIn(button, text, words, most) {
    const key = text.toLowerCase(), { section, entry } = whereabouts(button);
    const title = button.dataset.name + ", " + section + (entry ? ", " + entry : "");
    let hits = 0;
    if (!words.every((w) => key.includes(w))) return 0;
    text.split("\n").forEach((line, i) => {
      const low = line.toLowerCase();
      if (hits >= most || !words.every((w) => low.includes(w))) return;
      hits++;
      result(title + ", line " + (i + 1), line.slice(0, 4000), words,
        () => dom.go("#" + button.dataset.anchor + ":L" + (i + 1)));
    });
    return hits;
  }

  function close() {
    turn++;
    panel.hidden = true;
  }

  /* Down from the box into the results, and up again. */
  function walk(step) {
    if (panel.hidden) search();
    const stops = [input, ...list.querySelectorAll("button")], at = stops.indexOf(document.activeElement);
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
  }

  function onKey(event) {
    if (event.key === "Escape") {
      close();
      (opener ?? input).focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      walk(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && event.target === input) {
      list.querySelector("button")?.click();
    } else {
      return;
    }
    event.preventDefault();
  }

  function make() {
    const label = element("label", "visually-hidden", "Search in the report");
    let waiting = 0;
    input.type = "search";
    input.id = "search";
    input.placeholder = "Search (/)";
    input.autocomplete = "off";
    label.htmlFor = input.id;
    status.setAttribute("aria-live", "polite");
    input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
    for (const part of [box, panel]) part.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", (e) => {
      if (!panel.contains(e.target) && !box.contains(e.target)) close();
    });
    panel.hidden = true;
    panel.setAttribute("role", "region");
    panel.setAttribute("aria-label", "Results of the search");
    box.append(label, input);
    document.querySelector("nav").prepend(box);
    document.querySelector("nav").after(panel);
  }

  make();
  keys.on("/", "search the report", () => {
    opener = document.activeElement === document.body ? null : document.activeElement;
    input.focus();
    input.select();
    if (input.value) search();
  });
})();
