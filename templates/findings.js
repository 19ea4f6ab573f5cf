/* Findings: what can be copied, and what the list is filtered by. The filter stands in the address:
   #findings?severity=critical,high&kind=breaks&file=train.py&rank=3 */
const findings = (() => {
  const { element, action } = dom;
  const home = document.getElementById("findings"), all = [...home.querySelectorAll(".finding")];
  const CHIPS_MAX = 6, LEAST = 4; // more values make a list to choose from; fewer findings need no filter

  /* --- copies --- */

  /* Characters of a text that Markdown or a forum would take for something. */
  function plain(text) {
    return text.replace(/\s+/g, " ").trim().replace(/[\\`*_[\]<>#@|~]/g, "\\$&");
  }

  function codeOf(text) {
    const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map((m) => m[0].length)), fence = "`".repeat(longest + 1);
    return longest ? fence + " " + text + " " + fence : fence + text + fence;
  }

  function fenced(text, language) {
    const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((m) => m[0].length)), fence = "`".repeat(longest + 1);
    return fence + language + "\n" + text + "\n" + fence;
  }

  /* Words with `code` in them, as the page shows them. */
  function inline(e) {
    const one = (n) => n.nodeName === "CODE" ? codeOf(n.textContent) : n.data ? plain(" " + n.data + " ") : inline(n);
    return [...(e?.childNodes ?? [])].map(one).filter(Boolean).join(" ").trim();
  }

  function markdown(finding) {
    const part = (selector) => finding.querySelector(":scope > .body > " + selector);
    const title = finding.querySelector(":scope > h3, :scope > summary > .title");
    const words = inline(title).replace(/^(critical|high|medium|low|info) /, "");
    const parts = ["### " + words, "", "Severity: " + finding.dataset.severity];
    const place = finding.querySelector(":scope > .meta .place, :scope > summary > .meta .place");
    const costs =
      [...finding.querySelectorAll(":scope > .meta b, :scope > summary > .meta b")].map((b) => b.textContent);
    if (place) parts[2] += "; at " + codeOf(place.textContent);
    if (costs.length) parts[2] += "; costs " + costs.join(", ");
    if (part("pre.line")) parts.push("", fenced(part("pre.line").textContent, "python"));
    for (const p of finding.querySelectorAll(":scope > .body > .detail:not(:empty)")) {
      if (p.nextElementSibling?.matches(".spots")) break;
      parts.push("", inline(p));
    }
    for (const spot of finding.querySelectorAll(":scope > .body > .spots > li")) parts.push("- " + inline(spot));
    if (part(".fix:not(:empty)")) parts.push("", "**What to do:** " + inline(part(".fix")));
    const paste = finding.querySelector(":scope > .body > .paste-box > pre, :scope > .body > pre.paste");
    if (paste) parts.push("", inline(part(".paste-at")), "", fenced(paste.textContent, "python"));
    const rows = [...document.querySelectorAll(".facts > div")].map((d) => [...d.children].map((e) => e.textContent));
    const facts = Object.fromEntries(rows);
    const version = plain(facts.PyTorch ?? "(version not known)"), maker = facts["Made by"] ?? "pt2trace";
    parts.push("", "PyTorch " + version + "; found by " + plain(maker.split(":")[0]));
    return parts.join("\n") + "\n";
  }

  function offerCopies() {
    for (const pre of document.querySelectorAll("pre.paste")) {
      const box = element("div", "paste-box"), button = dom.copier("Copy", () => pre.textContent);
      button.classList.add("made");
      pre.before(box);
      box.append(pre, button);
    }
    for (const finding of all) {
      const acts = element("div", "acts made"), nested = finding.querySelector(":scope > .body > .finding");
      acts.append(dom.copier("Copy as Markdown", () => markdown(finding)));
      if (nested) nested.before(acts);
      else finding.querySelector(":scope > .body").append(acts);
    }
  }

  /* --- filters --- */

  const FACETS = [
    { name: "severity", title: "Severity", of: (f) => [f.dataset.severity] },
    { name: "kind", title: "Kind", of: (f) => [f.dataset.kind],
      words: { breaks: "graph breaks", other: "settings and code" } },
    { name: "file", title: "File", of: (f) => f.dataset.files?.split("\n") ?? [] },
    { name: "rank", title: "Rank", of: (f) => f.dataset.ranks?.split(" ") ?? [], words: {} },
  ];
  const chosen = new Map(FACETS.map((f) => [f.name, new Set()])), count = element("span", "meta");
  const shows = []; // what brings the controls up to date

  const fits = (finding) =>
    FACETS.every((f) => !chosen.get(f.name).size || f.of(finding).some((v) => chosen.get(f.name).has(v)));

  /* A finding shows with what it leads to; a group that has something to show opens. */
  function filter() {
    const active = FACETS.some((f) => chosen.get(f.name).size), shown = new Set(all.filter(fits));
    for (const f of all) {
      const parent = f.parentElement.closest(".finding"), parts = [...f.querySelectorAll(".finding")];
      const kept = shown.has(f) || parts.some((x) => shown.has(x)) || (parent && shown.has(parent));
      f.hidden = active && !kept;
    }
    for (const group of home.querySelectorAll(".of-kind")) {
      group.hidden = !group.querySelector(".finding:not([hidden])");
      if (active && !group.hidden) group.open = true;
    }
    count.textContent = active ? shown.size + " of " + all.length : "";
    for (const show of shows) show();
  }

  function address() {
    const kept = new URLSearchParams();
    for (const [name, values] of chosen) if (values.size) kept.set(name, [...values].join(","));
    history.replaceState(null, "", "#findings" + (kept.size ? "?" + kept : ""));
  }

  function choose(facet, values) {
    chosen.set(facet.name, new Set(values));
    filter();
    address();
  }

  function chip(facet, value) {
    const n = all.filter((f) => facet.of(f).includes(value)).length;
    const button = action((facet.words?.[value] ?? value) + " ", () => {
      const values = new Set(chosen.get(facet.name));
      if (!values.delete(value)) values.add(value);
      choose(facet, values);
    });
    button.append(element("span", "meta", String(n)));
    shows.push(() => button.setAttribute("aria-pressed", chosen.get(facet.name).has(value)));
    return button;
  }

  function list(facet, values) {
    const select = element("select");
    for (const value of ["", ...values]) {
      const option = element("option", "", value ? facet.words?.[value] ?? value : "all");
      option.value = value;
      select.append(option);
    }
    select.setAttribute("aria-label", facet.title);
    select.addEventListener("change", () => choose(facet, select.value ? [select.value] : []));
    shows.push(() => { select.value = [...chosen.get(facet.name)][0] ?? ""; });
    return select;
  }

  function makeChips() {
    const bar = element("div", "chips made");
    for (const facet of FACETS) {
      const values = [...new Set(all.flatMap(facet.of))], set = element("span", "set");
      if (values.length < 2) continue;
      if (facet.name === "rank") values.sort((a, b) => a - b);
      const choices = values.length > CHIPS_MAX ? [list(facet, values)] : values.map((v) => chip(facet, v));
      set.append(element("span", "meta", facet.title), ...choices);
      bar.append(set);
    }
    if (!bar.children.length) return;
    count.setAttribute("aria-live", "polite");
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "Show only");
    bar.append(count);
    home.querySelector(":scope > .verdict")?.after(bar);
    home.querySelector(":scope > .ranks-line")?.after(bar);
    filter();
  }

  /* What an address says. */
  function restore(text) {
    const kept = new URLSearchParams(text ?? "");
    for (const { name } of FACETS) chosen.set(name, new Set((kept.get(name) ?? "").split(",").filter(Boolean)));
    filter();
  }

  offerCopies();
  if (all.length >= LEAST) makeChips();
  return { restore };
})();
