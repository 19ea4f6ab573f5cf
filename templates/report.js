/* The report reads without scripts. This one sorts and filters tables, and follows links into details. */
(() => {
  const { element, action } = dom;

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
    if (button) viewer.toggle(button);
    target.scrollIntoView();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.open");
    if (button) viewer.toggle(button);
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
