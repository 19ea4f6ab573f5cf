/* The report reads without scripts. This one sorts and filters tables, and follows links into details. A link may carry
   what a table is filtered by: #compiles?filter=graph+break */
(() => {
  const { element, action } = dom;
  const filters = new Map(); // id of a section -> what sets the filter of its table

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

  /* Rows, each with what is opened below it. */
  function groupsOf(table) {
    const groups = [];
    for (const row of table.tBodies[0].rows) row.matches(".detail") ? groups.at(-1).push(row) : groups.push([row]);
    return groups;
  }

  function sortBy(table, header, column) {
    const descending = header.getAttribute("aria-sort") !== "descending";
    const rows = groupsOf(table).map((group) => ({ group, key: sortKey(group[0], column) }));
    rows.sort((a, b) => (descending ? -1 : 1) * compare(a.key, b.key));
    for (const th of header.parentNode.cells) th.removeAttribute("aria-sort");
    header.setAttribute("aria-sort", descending ? "descending" : "ascending");
    table.tBodies[0].append(...rows.flatMap((r) => r.group));
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
    input.placeholder = "function, status, file \u2026";
    input.id = "filter";
    label.htmlFor = input.id;
    const filter = () => {
      const words = dom.words(input.value), groups = groupsOf(table);
      let shown = 0;
      for (const [row, ...details] of groups) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((w) => text.includes(w));
        for (const detail of details) detail.hidden = row.hidden || !detail.querySelector("details").open;
        shown += !row.hidden;
      }
      count.textContent = words.length ? shown + " of " + groups.length : "";
    };
    const home = table.closest("section").id;
    input.addEventListener("input", () => {
      const kept = new URLSearchParams({ filter: input.value });
      history.replaceState(null, "", "#" + home + (input.value ? "?" + kept : ""));
      filter();
    });
    filters.set(home, (text) => { input.value = text; filter(); });
    bar.append(label, input, count);
    table.closest(".scroll").before(bar);
  }

  /* A link to something inside closed details opens them. */
  function reveal() {
    const [id, kept] = location.hash.slice(1).split("?"), target = id && document.getElementById(id);
    if (!target) return;
    if (id === "findings") findings.restore(kept);
    else if (kept) filters.get(id)?.(new URLSearchParams(kept).get("filter") ?? "");
    dom.expose(target);
    const button = target.matches(".artifact") &&
      target.querySelector("button.open[aria-expanded=\"false\"], button.open:not([aria-expanded])");
    if (button) viewer.toggle(button);
    target.scrollIntoView();
  }

  /* The link of the section that is being read. */
  function markCurrent() {
    const links = new Map([...document.querySelectorAll("nav a")].map((a) => [a.hash.slice(1), a]));
    const seen = new Set(), sections = [...document.querySelectorAll("main > section")];
    const watcher = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) seen[isIntersecting ? "add" : "delete"](target);
      const current = sections.find((s) => seen.has(s));
      for (const a of links.values()) a.removeAttribute("aria-current");
      if (current) links.get(current.id)?.setAttribute("aria-current", "true");
    }, { rootMargin: "-60px 0px -70% 0px" });
    for (const s of sections) watcher.observe(s);
  }

  /* What scrolls sideways can be reached with the keyboard: known when it comes near the screen, or is opened. */
  function reachScrolls() {
    const reach = (e) => {
      if (e.scrollWidth <= e.clientWidth || e.tabIndex === 0) return;
      e.tabIndex = 0;
      e.setAttribute("role", "group");
      e.setAttribute("aria-label", "Table, scrolls sideways");
    };
    const watcher = new IntersectionObserver((changes) => {
      for (const { target, isIntersecting } of changes) if (isIntersecting) reach(target);
    }, { rootMargin: "100%" });
    for (const e of document.querySelectorAll("main > section > .scroll")) watcher.observe(e);
    document.addEventListener("toggle", (event) => {
      if (event.target.open) event.target.querySelectorAll(".scroll").forEach(reach);
    }, { capture: true });
  }

  /* On paper everything that matters stands open: findings, breaks, recompiles and errors. */
  const PRINTED = ".finding, .of-kind, .about, #breaks > details, #recompiles > details, #errors > details";
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:is(" + PRINTED + "):not([open])")];
    for (const e of opened) e.open = true;
  });
  addEventListener("afterprint", () => { for (const e of opened) e.open = false; });

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.open");
    if (button) viewer.toggle(button);
  });
  document.querySelectorAll("table.sortable").forEach(makeSortable);
  document.querySelectorAll("table.filterable").forEach(makeFilterable);
  markCurrent();
  reachScrolls();
  /* In a frame of another page, what is not in the report opens beside that page. */
  if (dom.framed)
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[href]");
      if (!link || event.defaultPrevented) return;
      if (link.protocol === "https:") link.target = "_blank";
      if (!link.getAttribute("href").startsWith("#")) return;
      event.preventDefault();
      dom.go(link.getAttribute("href"));
    });
  addEventListener("hashchange", reveal);
  reveal();
})();
