"use strict";
/* Keys that work anywhere in the page, and the list of them. They can be switched off: who speaks to a computer, or has
   trouble hitting the right key, must not trigger them by accident. */
const keys = (() => {
  const { element, action } = dom;
  const known = new Map(); // key -> {words, run}
  let enabled = true;

  function on(key, words, run) {
    known.set(key, { words, run });
  }

  const isTyping = (e) => /^(INPUT|TEXTAREA|SELECT)$/.test(e.tagName);

  document.addEventListener("keydown", (event) => {
    const found = known.get(event.key);
    if (!found || !enabled || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    found.run();
  });

  /* --- from entry to entry --- */

  const ENTRIES = ".finding, details.entry, details.compile";

  function step(direction) {
    const line = document.querySelector("nav").offsetHeight + 12; // it sticks to the top
    const entries = [...document.querySelectorAll(ENTRIES)].filter((e) => e.checkVisibility());
    const tops = entries.map((e) => e.getBoundingClientRect().top);
    const at = direction > 0 ? tops.findIndex((top) => top > line + 1) : tops.findLastIndex((top) => top < line - 1);
    if (at < 0) return;
    scrollBy({ top: tops[at] - line, behavior: "instant" });
    const summary = entries[at].querySelector(":scope > summary"),
          target = summary?.checkVisibility() ? summary : entries[at];
    if (target === entries[at]) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  /* All entries of the section that is being read: opened, or closed when all are open. */
  function fold() {
    const line = document.querySelector("nav").getBoundingClientRect().bottom + 40;
    const section =
      [...document.querySelectorAll("main > section")].findLast((e) => e.getBoundingClientRect().top < line);
    const entries = [...(section?.querySelectorAll("details.entry, details.compile") ?? [])].slice(0, 500);
    const open = entries.some((e) => !e.open);
    for (const e of entries) e.open = open;
  }

  /* --- help --- */

  const dialog = element("dialog", "keys made");

  function list() {
    const table = element("table"), body = element("tbody");
    for (const [key, { words }] of known) {
      const row = element("tr"), cell = element("th");
      cell.append(element("kbd", "", key));
      row.append(cell, element("td", "", words));
      body.append(row);
    }
    table.append(body);
    return table;
  }

  function help() {
    const box = element("input"), label = element("label");
    box.type = "checkbox";
    box.checked = enabled;
    box.addEventListener("change", () => { enabled = box.checked; });
    label.append(box, " keys are on");
    const heading = element("h2", "", "Keys");
    heading.id = "keys-title";
    dialog.setAttribute("aria-labelledby", heading.id);
    dialog.replaceChildren(heading, list(), label, action("Close", () => dialog.close()));
    dialog.showModal();
  }

  const button = action("Keys", help);
  button.classList.add("made");
  document.querySelector("nav").append(button);
  document.body.append(dialog);
  on("n", "next entry", () => step(1));
  on("p", "previous entry", () => step(-1));
  on("f", "full paths of files, or short ones", () => document.body.classList.toggle("paths"));
  on("e", "open or close all entries of this section", fold);
  on("?", "this list", help);
  return { on };
})();
