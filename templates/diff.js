/* Two texts side by side: what one of two payloads has that the other has not, by line and in lines by word. */
const diff = (() => {
  const { element, action } = dom;
  const EDITS_MAX = 600; // that are looked for at a time

  /* Myers, "An O(ND) Difference Algorithm": pairs of equal items of a[a0..a1) and b[b0..b1). Where there are very many
     edits, it settles for the best way so far and goes on from there, so that the time stays linear. */
  function shortestEdit(a, a0, a1, b, b0, b1) {
    const all = [];
    while (a0 < a1 && b0 < b1) {
      const { pairs, x, y } = someEdits(a, a0, a1, b, b0, b1);
      for (const pair of pairs) all.push(pair);
      [a0, b0] = [a0 + x, b0 + y];
    }
    return all;
  }

  function someEdits(a, a0, a1, b, b0, b1) {
    const n = a1 - a0, m = b1 - b0, most = Math.min(n + m, EDITS_MAX), trace = [];
    const ends = new Int32Array(2 * most + 3);
    let best = { x: 0, y: 0 };
    for (let d = 0; d <= most; d++) {
      trace.push(ends.slice(most - d, most + d + 3));
      for (let k = -d; k <= d; k += 2) {
        const at = k + most + 1, down = k === -d || (k !== d && ends[at - 1] < ends[at + 1]);
        let x = down ? ends[at + 1] : ends[at - 1] + 1;
        while (x < n && x - k < m && a[a0 + x] === b[b0 + x - k]) x++;
        ends[at] = x;
        if (x <= n && x - k <= m && 2 * x - k > best.x + best.y) best = { x, y: x - k, d };
        if (x >= n && x - k >= m) return { pairs: pairsOf(trace, d, n, m, a0, b0), x: n, y: m };
      }
    }
    return { pairs: pairsOf(trace, best.d, best.x, best.y, a0, b0), x: best.x, y: best.y };
  }

  /* Back from the end. trace[d] holds what was reached with d - 1 edits, from k = -d - 1 on. */
  function pairsOf(trace, d, n, m, a0, b0) {
    const pairs = [];
    let x = n, y = m;
    for (; d >= 0; d--) {
      const ends = trace[d], k = x - y, at = k + d + 1;
      const down = k === -d || (k !== d && ends[at - 1] < ends[at + 1]);
      const before = d ? (down ? ends[at + 1] : ends[at - 1]) : 0, stop = d ? (down ? before : before + 1) : 0;
      while (x > stop) pairs.push([a0 + --x, b0 + --y]);
      x = before;
      y = before - (down ? k + 1 : k - 1);
    }
    return pairs.reverse();
  }

  /* Lines that both texts have once, in the order of both: the longest chain of them (patience). */
  function anchors(a, a0, a1, b, b0, b1) {
    const seen = new Map();
    const note = (items, from, to, side) => {
      for (let i = from; i < to; i++) {
        const entry = seen.get(items[i]) ?? seen.set(items[i], [0, 0, 0, 0]).get(items[i]);
        entry[side]++;
        entry[side + 2] = i;
      }
    };
    note(a, a0, a1, 0);
    note(b, b0, b1, 1);
    const tails = [];
    for (const [inA, inB, i, k] of seen.values()) {
      if (inA !== 1 || inB !== 1) continue;
      let low = 0, high = tails.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (tails[middle].k < k) low = middle + 1;
        else high = middle;
      }
      tails[low] = { i, k, before: tails[low - 1] };
    }
    const chain = [];
    for (let e = tails.at(-1); e; e = e.before) chain.push([e.i, e.k]);
    return chain.reverse();
  }

  /* Pairs [position in a, position in b] of what stays the same. */
  function equalPairs(a, b) {
    const pairs = [];
    let a0 = 0, b0 = 0, a1 = a.length, b1 = b.length;
    for (; a0 < a1 && b0 < b1 && a[a0] === b[b0]; a0++, b0++) pairs.push([a0, b0]);
    const tail = [];
    for (; a1 > a0 && b1 > b0 && a[a1 - 1] === b[b1 - 1]; a1--, b1--) tail.push([a1 - 1, b1 - 1]);
    for (const [i, k] of [...anchors(a, a0, a1, b, b0, b1), [a1, b1]]) {
      for (const pair of shortestEdit(a, a0, i, b, b0, k)) pairs.push(pair);
      if (i < a1) pairs.push([i, k]);
      [a0, b0] = [i + 1, k + 1];
    }
    return pairs.concat(tail.reverse());
  }

  /* [{kind, a, b}]: "same" lines, lines that are "gone" and that have "come", those next to each other as pairs,
     "change". */
  function rowsOf(a, b) {
    const rows = [];
    let i = 0, k = 0;
    for (const [x, y] of [...equalPairs(a, b), [a.length, b.length]]) {
      for (; i < x && k < y; i++, k++) rows.push({ kind: "change", a: i, b: k });
      for (; i < x; i++) rows.push({ kind: "gone", a: i });
      for (; k < y; k++) rows.push({ kind: "come", b: k });
      if (x < a.length) rows.push({ kind: "same", a: i++, b: k++ });
    }
    return rows;
  }

  const WORDS_MAX = 3000; // characters of a line whose words are compared

  /* [[text, is only on this side]] for both lines; no marks where little is the same. */
  function wordMarks(one, other) {
    const unmarked = [[[one, false]], [[other, false]]];
    if (one.length + other.length > WORDS_MAX) return unmarked;
    const split = (line) => line.match(/\w+|\s+|[^\w\s]/g) ?? [], a = split(one), b = split(other);
    const pairs = equalPairs(a, b), sameA = new Set(pairs.map(([i]) => i)), sameB = new Set(pairs.map(([, k]) => k));
    const common = pairs.reduce((sum, [i]) => sum + a[i].trim().length, 0);
    if (common * 5 < Math.max(one.trim().length, other.trim().length) * 2) return unmarked;
    const marks = (words, same) => {
      const found = [];
      words.forEach((word, i) => {
        if (found.length && found.at(-1)[1] === !same.has(i)) found.at(-1)[0] += word;
        else found.push([word, !same.has(i)]);
      });
      return found;
    };
    return [marks(a, sameA), marks(b, sameB)];
  }

  const CONTEXT = 3, SHOWN_MAX = 2000;

  /* Rows to show: changes with some lines around them. [{rows}] and [{hidden}] by turns. */
  function hunks(rows) {
    const near = new Uint8Array(rows.length);
    rows.forEach((row, i) => {
      if (row.kind !== "same") near.fill(1, Math.max(0, i - CONTEXT), i + CONTEXT + 1);
    });
    const parts = [];
    for (let i = 0; i < rows.length;) {
      let end = i;
      while (end < rows.length && near[end] === near[i]) end++;
      parts.push({ rows: rows.slice(i, end), hidden: !near[i] && end - i >= CONTEXT });
      i = end;
    }
    return parts;
  }

  /* One comparison: the texts, how they are shown, and the table that shows them. */
  class Comparison {
    constructor(before, after, language) {
      const [a, b] = [before, after].map((text) => text.split("\n"));
      Object.assign(this, { a, b, language, rows: rowsOf(a, b) });
      this.split = matchMedia("(min-width: 60rem)").matches;
      this.table = element("table", "diff");
    }

    counts() {
      const count = (kinds) => this.rows.filter((row) => kinds.includes(row.kind)).length;
      return { gone: count(["gone", "change"]), come: count(["come", "change"]) };
    }

    draw() {
      const head = element("thead"), line = element("tr"), body = element("tbody");
      for (const title of this.split ? ["Line", "Before", "Line", "After"] : ["Before", "After", "Text"]) {
        const cell = element("th", "", title);
        cell.scope = "col";
        line.append(cell);
      }
      head.append(line);
      this.table.classList.toggle("split", this.split);
      this.table.replaceChildren(head, body);
      for (const part of hunks(this.rows))
        if (part.hidden) body.append(this.#fold(part.rows));
        else this.#add(body, part.rows);
    }

    /* Some rows; the others when they are asked for. */
    #add(body, rows, before = null) {
      for (const row of rows.slice(0, SHOWN_MAX)) for (const tr of this.#lines(row)) body.insertBefore(tr, before);
      if (rows.length > SHOWN_MAX) body.insertBefore(this.#fold(rows.slice(SHOWN_MAX)), before);
    }

    #fold(rows) {
      const tr = element("tr", "fold"), cell = element("td");
      cell.colSpan = this.split ? 4 : 3;
      const same = rows.every((row) => row.kind === "same");
      cell.append(action("Show " + rows.length + (same ? " equal" : " more") + " lines", () => {
        const body = tr.parentNode, next = tr.nextSibling;
        tr.remove();
        this.#add(body, rows, next);
      }));
      tr.append(cell);
      return tr;
    }

    #lines(row) {
      const plain = () => this.#plain(this.b[row.b]);
      if (row.kind === "same") return [this.#line(row, row.a, plain(), row.b, plain())];
      const changed = row.kind === "change" ? wordMarks(this.a[row.a], this.b[row.b]) : null;
      const old = row.a === undefined ? null : marked(changed?.[0] ?? [[this.a[row.a], false]], "del");
      const now = row.b === undefined ? null : marked(changed?.[1] ?? [[this.b[row.b], false]], "ins");
      if (this.split || !changed) return [this.#line(row, row.a, old, row.b, now)];
      return [this.#line({ kind: "gone" }, row.a, old), this.#line({ kind: "come" }, undefined, null, row.b, now)];
    }

    #plain(text) {
      return this.language === "text" ? [text] : code.colored(text, this.language);
    }

    #line(row, a, old, b, now) {
      const tr = element("tr", row.kind), number = (i) => element("td", "number", i === undefined ? "" : i + 1);
      const text = (side, sign, pieces) => {
        const cell = element("td", "code" + (pieces ? " " + side : ""));
        if (pieces) cell.append(element("span", "sign", sign), ...pieces);
        return cell;
      };
      const signs = row.kind === "same" ? ["  ", "  "] : ["- ", "+ "];
      if (this.split) tr.append(number(a), text("old", signs[0], old), number(b), text("now", signs[1], now));
      else tr.append(number(a), number(b), now ? text("now", signs[1], now) : text("old", signs[0], old));
      return tr;
    }
  }

  function marked(pieces, name) {
    return pieces.map(([text, only]) => (only ? element(name, "", text) : text));
  }

  function counted(n, noun) {
    return n.toLocaleString("en") + " " + noun + (n === 1 ? "" : "s");
  }

  const NODES_SHOWN = 300;

  /* What became of the nodes of two graphs; null where a text is none. */
  function nodesBox(texts) {
    const found = graphDiff.compare(...texts), box = element("div", "nodes"), list = element("ul");
    if (!found) return null;
    const kinds = new Map();
    for (const { kind } of found.changes) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const parts = [...kinds].map(([kind, n]) => n.toLocaleString("en") + " " + kind.replace(/^(?:is|has) /, ""));
    box.append(element("p", "meta", "Nodes: " + found.same.toLocaleString("en") + " the same" +
      (found.renamed ? " (" + found.renamed.toLocaleString("en") + " under other names)" : "") +
      parts.map((part) => "; " + part).join("")));
    for (const { kind, a, b } of found.changes.slice(0, NODES_SHOWN)) {
      const item = element("li"), shown = b ?? a;
      item.append(element("code", "", wordsOf(shown)), " " + kind);
      if (a && b) item.append(", before: ", element("code", "", wordsOf(a)));
      list.append(item);
    }
    if (found.changes.length > NODES_SHOWN)
      list.append(element("li", "", counted(found.changes.length - NODES_SHOWN, "more node") + ": see the lines"));
    if (found.changes.length) box.append(list);
    return box;
  }

  const wordsOf = (node) =>
    (node.text + (node.type && node.target !== "input" ? "  # " + node.type : "")).slice(0, 300);

  /* "[0/1] rank 2 forward": whose artifact a button opens. */
  function ownerOf(button) {
    const summary = button.closest("details.compile")?.querySelector("summary");
    return [".id", "code"].map((part) => summary?.querySelector(part)?.textContent ?? "").filter(Boolean).join(" ");
  }

  function titleOf(from, to) {
    const names = from.dataset.name === to.dataset.name ? [to.dataset.name] : [from.dataset.name, to.dataset.name];
    const owners = [from, to].map(ownerOf);
    if (owners[0] === owners[1]) return names.join(" \u2192 ");
    return [from, to].map((one, i) => owners[i] + (names.length > 1 ? " " + one.dataset.name : "")).join(" \u2192 ") +
      (names.length > 1 ? "" : ": " + names[0]);
  }

  function boxOf(from, to, texts, onClose) {
    const [one, other] = [from.dataset.language, to.dataset.language], language = one === other ? one : "text";
    const title = titleOf(from, to), shown = [viewer.shownText(texts[0], one), viewer.shownText(texts[1], other)];
    const comparison = new Comparison(...shown, language);
    const box = element("div", "payload comparison"), area = element("div", "text");
    const { gone, come } = comparison.counts(), nodes = language === "fx" ? nodesBox(texts) : null;
    const layout = action("Unified", () => {
      comparison.split = !comparison.split;
      layout.setAttribute("aria-pressed", !comparison.split);
      comparison.draw();
    });
    layout.setAttribute("aria-pressed", !comparison.split);
    area.tabIndex = 0;
    area.setAttribute("role", "group");
    area.setAttribute("aria-label", "Comparison of " + title);
    comparison.draw();
    area.append(comparison.table);
    box.append(viewer.barOf(title, layout, action("Close", onClose),
      element("span", "meta", counted(gone, "line") + " removed, " + come.toLocaleString("en") + " added")));
    if (nodes) box.append(nodes);
    box.append(area);
    return box;
  }

  const sourceOf = (anchor) => document.getElementById(anchor)?.querySelector("button.open");

  async function make(sources, onClose) {
    if (!sources.every(Boolean)) return element("p", "payload comparison", "One of the two is not in this page.");
    try {
      return boxOf(...sources, await Promise.all(sources.map(viewer.text)), onClose);
    } catch (error) {
      return element("p", "payload comparison", "This browser could not unpack the payloads (" + error.message + ").");
    }
  }

  const boxes = new WeakMap(); // button -> what it opened

  async function toggle(button) {
    const open = boxes.get(button);
    if (open) {
      boxes.delete(button);
      open.remove();
      button.setAttribute("aria-expanded", "false");
      return;
    }
    button.setAttribute("aria-expanded", "true");
    const box = await make([sourceOf(button.dataset.from), sourceOf(button.dataset.to)],
      () => { toggle(button); button.focus(); });
    if (boxes.has(button)) return;
    boxes.set(button, box);
    button.closest(".artifact, .passes, .divergence .body").append(box);
    if (!box.previousElementSibling?.contains(button)) box.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button.compare");
    if (button) toggle(button);
  });

  /* --- any two --- */

  const OFFERED_MAX = 30;

  /* What an artifact may be compared with: those of its name first, then what is written in the same language. */
  function candidates(button) {
    const { name, language, anchor } = button.dataset;
    const far = (one) => (one.dataset.name === name ? 0 : one.dataset.language === language ? 1 : 2);
    return [...document.querySelectorAll(".artifact button.open")].filter((one) => one.dataset.anchor !== anchor)
      .map((one) => ({ one, far: far(one), words: ownerOf(one) + " " + one.dataset.name }))
      .sort((a, b) => a.far - b.far);
  }

  /* A list to choose from, below the bar of a payload that is open; again closes it. */
  function choose(button, opener, box) {
    const old = box.querySelector(".chooser");
    opener.setAttribute("aria-expanded", !old);
    if (old) {
      old.remove();
      return;
    }
    const all = candidates(button).map((c) => ({ ...c, key: c.words.toLowerCase() }));
    const chooser = element("div", "chooser"), input = element("input");
    const status = element("p", "meta"), list = element("ul");
    const pick = async (other) => {
      choose(button, opener, box);
      const made = await make([button, other], () => { made.remove(); opener.focus(); });
      box.after(made);
      made.scrollIntoView({ block: "nearest" });
    };
    const offer = () => {
      const wanted = dom.words(input.value), found = all.filter(({ key }) => wanted.every((w) => key.includes(w)));
      status.textContent = counted(found.length, "artifact") +
        (found.length > OFFERED_MAX ? ", the first " + OFFERED_MAX + " are shown" : "");
      list.replaceChildren(...found.slice(0, OFFERED_MAX).map(({ one, words }) => {
        const item = element("li");
        item.append(action(words, () => pick(one)));
        return item;
      }));
    };
    input.type = "search";
    input.placeholder = "Filter: a rank, a compile, a name";
    input.setAttribute("aria-label", "Filter the artifacts to compare with");
    status.setAttribute("aria-live", "polite");
    input.addEventListener("input", offer);
    chooser.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      choose(button, opener, box);
      opener.focus();
    });
    chooser.append(input, status, list);
    box.querySelector(".bar").after(chooser);
    offer();
    input.focus();
  }

  return { equalPairs, rowsOf, wordMarks, choose };
})();
