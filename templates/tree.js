"use strict";
/* Trees stand in the page as lists with indented rows. Here they fold and are searched. */
(() => {
  const { element, action } = dom;

  const depthOf = (row) => +(/\bi(\d+)\b/.exec(row.className)?.[1] ?? 0);

  class Tree {
    constructor(list, placeholder, statuses) {
      this.rows =
        [...list.querySelectorAll(":scope > li")].map((e) => ({ e, depth: depthOf(e), closed: false, out: false }));
      const open = [];
      for (const row of this.rows) {
        open.length = Math.min(open.length, row.depth);
        row.parent = open.findLast(Boolean);
        if (row.parent) row.parent.inner = true;
        open[row.depth] = row;
      }
      if (this.rows.length < 3) return;
      for (const row of this.rows) if (row.inner) this.addFold(row);
      list.before(this.bar(placeholder, statuses));
    }

    addFold(row) {
      const name = row.e.querySelector("b")?.textContent ?? "";
      row.fold = action("", () => { row.closed = !row.closed; this.show(); });
      row.fold.className = "fold made";
      row.fold.setAttribute("aria-label", "What is in " + name);
      row.fold.setAttribute("aria-expanded", "true");
      row.e.prepend(row.fold);
    }

    bar(placeholder, statuses) {
      const bar = element("div", "filter"), label = element("label", "", "Filter "), input = element("input");
      this.count = element("span", "meta");
      this.count.setAttribute("aria-live", "polite");
      input.type = "search";
      input.placeholder = placeholder;
      input.addEventListener("input", () => this.filter(dom.words(input.value)));
      label.append(input);
      bar.append(label, ...(statuses ? [this.choice(statuses)] : []),
        action("Fold all", () => this.foldAll(true)), action("Unfold all", () => this.foldAll(false)), this.count);
      return bar;
    }

    choice(statuses) {
      const label = element("label", "", "Status "), select = element("select");
      for (const [value, words] of [["", "any"], ...statuses]) {
        const option = element("option", "", words);
        option.value = value;
        select.append(option);
      }
      select.addEventListener("change", () => { this.status = select.value; this.filter(this.words ?? []); });
      label.append(select);
      return label;
    }

    foldAll(closed) {
      for (const row of this.rows) row.closed = closed && Boolean(row.parent ? row.inner : row.inner);
      this.show();
    }

    matches(row) {
      const text = row.e.textContent.toLowerCase();
      return this.words.every((w) => text.includes(w)) && (!this.status || row.e.querySelector(this.status));
    }

    /* What fits, and what it is in. */
    filter(words) {
      this.words = words;
      const wanted = words.length > 0 || Boolean(this.status);
      let fit = 0;
      for (const row of this.rows) row.out = wanted;
      for (const row of wanted ? this.rows : []) {
        if (!this.matches(row)) continue;
        fit++;
        for (let r = row; r && r.out; r = r.parent) r.out = false;
      }
      this.count.textContent = wanted ? fit + " of " + this.rows.length + " rows" : "";
      this.show();
    }

    show() {
      for (const row of this.rows) {
        row.under = Boolean(row.parent && (row.parent.closed || row.parent.under));
        row.e.hidden = row.out || row.under;
        row.fold?.setAttribute("aria-expanded", String(!row.closed));
      }
    }
  }

  const STATUSES = [[".ok", "ok"], [".graph_break", "graph break"], [".error", "error"], [".empty", "no graph"],
    [".incomplete", "incomplete"], [".again", "recompiled"]];
  for (const list of document.querySelectorAll("ol.trie, ul.trie")) new Tree(list, "function, file, id …", STATUSES);

  /* In words: the table above the tree says what each kind of guard checks. */
  function explain(guards) {
    const words =
      new Map([...guards.querySelectorAll("tbody tr")].map((r) => [r.cells[0].textContent, r.cells[2].textContent]));
    for (const kind of guards.querySelectorAll(".guard > b"))
      if (words.get(kind.textContent)) kind.title = words.get(kind.textContent);
  }

  document.addEventListener("toggle", (event) => {
    const guards = event.target, list = guards.querySelector?.(":scope > ol.tree");
    if (!guards.matches?.("details.guards") || !guards.open || guards.dataset.ready || !list) return;
    guards.dataset.ready = "1";
    explain(guards);
    new Tree(list, "kind, source, code …");
  }, true);
})();
