"use strict";
/* The table of compiles opens in place: the entry of a compile, which stands below the table where no script runs,
   moves under its row. Also what an id stands for, said beside it. */
const compiles = (() => {
  const { element, action } = dom;
  const table = document.getElementById("compile-table");
  const rows = new Map(); // id of an entry -> {row, entry, fold, place}

  function place(item) {
    if (item.place) return;
    item.place = element("tr", "detail");
    const cell = element("td");
    cell.colSpan = item.row.cells.length;
    cell.append(item.entry);
    item.place.append(cell);
    item.row.after(item.place);
  }

  function show(item, open) {
    if (open) place(item);
    item.entry.open = open;
    if (item.place) item.place.hidden = !open || item.row.hidden;
    item.fold.setAttribute("aria-expanded", String(open));
  }

  function take(row) {
    const link = row.querySelector("a.id"), id = link?.hash.slice(1), entry = id && document.getElementById(id);
    if (!entry) return;
    const item = { row, entry, place: null, fold: action("", () => show(item, !entry.open)) };
    item.fold.className = "fold made";
    item.fold.setAttribute("aria-label", "Details of " + link.textContent);
    item.fold.setAttribute("aria-expanded", String(entry.open));
    row.cells[0].prepend(item.fold);
    entry.classList.add("rowed");
    rows.set(id, item);
    row.addEventListener("click", (event) => {
      if (!event.target.closest("a, button") && !getSelection().toString()) show(item, !entry.open);
    });
  }

  /* Whoever opens an entry finds it under its row: at once where the page is scrolled to it, else when it says so. */
  for (const name of ["exposed", "toggle"])
    document.addEventListener(name, (event) => {
      const item = rows.get(event.target.id);
      if (item) show(item, item.entry.open);
    }, true);

  for (const row of table?.tBodies[0].rows ?? []) take(row);

  /* "forward", "forward, train.py:20, recompile, 60.5 s": what the row of a compile says. */
  function functionOf(id) {
    return rows.get(id)?.row.querySelector("code")?.textContent ?? "";
  }

  function wordsOf(id) {
    const item = rows.get(id), text = (e) => e?.textContent.trim() ?? "";
    if (!item) return "";
    const { row } = item;
    const facts = [text(row.cells[2]).replace(/\s+/g, ", "), text(row.cells[3])];
    return [functionOf(id), text(row.querySelector(".place")), ...facts].filter(Boolean).join(", ");
  }

  /* --- beside an id that the pointer or the focus is at --- */

  const tip = element("div", "tip id-tip made");
  tip.hidden = true;
  tip.id = "id-tip";
  tip.setAttribute("role", "tooltip");
  document.body.append(tip);

  function explain(event) {
    const link = event.target.closest?.("a.id"),
          words = link && !link.closest("#compile-table, .detail summary") && wordsOf(link.hash.slice(1));
    tip.hidden = !words;
    if (!words) return;
    tip.textContent = words;
    link.removeAttribute("title"); // the same in one word, and the label has it
    link.setAttribute("aria-describedby", tip.id);
    const box = link.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(box.left, innerWidth - tip.offsetWidth - 8)) + "px";
    tip.style.top =
      (box.bottom + tip.offsetHeight + 8 > innerHeight ? box.top - tip.offsetHeight - 6 : box.bottom + 6) + "px";
  }

  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, explain);
  const hideTip = () => { tip.hidden = true; };
  for (const name of ["scroll", "keydown"]) document.addEventListener(name, hideTip, { passive: true });
  return { functionOf };
})();
