/* What a page of the report must be, looked at from inside: the body of a function that report_page.py runs in the
   page, with the name of a check and what it needs. A check returns its complaints, or what it saw. */
"use strict";

const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
const isVisible = (e) => e.checkVisibility({ visibilityProperty: true });
const isOurScript = (e) => e.tagName === "SCRIPT" || e.tagName === "STYLE";

/* "details#c-0_0 > summary > code.line: the text" */
function name(e) {
  const step = (x) => x.tagName.toLowerCase() + (x.id && "#" + x.id) + (x.classList.length ? "." + x.classList[0] : "");
  const steps = [];
  for (let x = e; x && x !== document.body && steps.length < 4; x = x.parentElement) steps.unshift(step(x));
  return steps.join(" > ") + ": " + e.textContent.trim().slice(0, 40);
}

function openAll() {
  for (const details of all("details")) details.open = true;
}

/* --- what is in the page --- */

/* Elements and attributes that are not `allowed` ({element: [attributes]}); scripts that are neither data nor ours. */
function foreign(allowed, script) {
  const complaints = [];
  for (const e of all("*")) {
    const attributes = allowed[e.tagName.toLowerCase()];
    if (!attributes) complaints.push("element " + name(e));
    for (const a of attributes ? e.attributes : [])
      if (!attributes.includes(a.name)) complaints.push("attribute " + a.name + " of " + name(e));
  }
  for (const s of document.scripts) {
    const isBlock = s.type === "text/plain" && /^block-\d+$/.test(s.id) && /^[\w+/=\s]*$/.test(s.textContent);
    if (!isBlock && (s.hasAttribute("src") || s.textContent !== script)) complaints.push("script " + name(s));
  }
  return complaints;
}

function pwned() {
  return window.pwned === undefined ? [] : ["a text of the trace ran as a script: " + window.pwned];
}

/* Which of [[text, where]] the page does not show. A text counts when it stands in one piece in what is visible. */
function missing(texts) {
  const found = { text: [], title: [], href: [] };
  openAll();
  for (const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walk.nextNode();) {
    const parent = walk.currentNode.parentElement;
    const isShown = isVisible(parent) || parent.closest("svg title");
    if (!isOurScript(parent) && isShown) found.text.push(walk.currentNode.data);
  }
  for (const e of all("[title]")) if (isVisible(e)) found.title.push(e.title);
  for (const e of all("a[href]")) if (isVisible(e)) found.href.push(e.getAttribute("href"));
  for (const where in found) found[where] = found[where].join("\0");
  return texts.filter(([text, where]) => !found[where].includes(text));
}

/* The text as it can be read with everything opened; without what only scripts add (.made), with what they put away
   because they show it in another form (.static), and with the entries of compiles below their table. */
function readable() {
  openAll();
  const homes = all(".detail > td > details").map((e) => [e, e.parentNode]);
  document.querySelector("#compile-table")?.closest(".scroll")
    .after(...all("#compile-table a.id").map((link) => document.getElementById(link.hash.slice(1))));
  const made = all(".filter, .made"), away = all(".static[hidden]");
  for (const e of made) e.style.display = "none";
  for (const e of away) e.hidden = false;
  const text = all("header, main > *, footer").map((e) => e.innerText).join("\n");
  for (const e of made) e.style.display = "";
  for (const e of away) e.hidden = true;
  for (const [e, home] of homes) home.append(e);
  return text;
}

/* How many of each selector there are. */
function counts(selectors) {
  return selectors.map((selector) => all(selector).length);
}

/* --- links --- */

function links() {
  const complaints = [], ids = all("[id]").map((e) => e.id);
  for (const id of ids.filter((id, at) => ids.indexOf(id) !== at)) complaints.push("two elements have the id " + id);
  for (const a of all("[href], [src], [action], [formaction], [ping], [srcset], [data]")) {
    const href = a.getAttribute("href") ?? "";
    const isIcon = a.matches("link[rel=icon]") && href === "data:,";
    const isOutside = /^https?:\/\//.test(href) && a.rel.split(" ").includes("noopener");
    const isFile = a.matches("a.file") && a.protocol === "file:" && !/^[/\\]|\.\./.test(href);
    if (href.startsWith("#") ? !targetOf(href.slice(1)) : !isIcon && !isOutside && !isFile)
      complaints.push("a link leads nowhere, or where it must not: " + href + " of " + name(a));
  }
  for (const e of all("[for], [aria-labelledby], [aria-describedby], [aria-controls]"))
    for (const at of ["for", "aria-labelledby", "aria-describedby", "aria-controls"])
      for (const id of (e.getAttribute(at) ?? "").split(" ").filter(Boolean))
        if (!document.getElementById(id)) complaints.push(at + " of " + name(e) + " names nothing");
  return complaints;
}

/* The ids that links lead to, and those of entries that a reader may keep a link to. */
function anchors() {
  const targets = all("a[href^='#']").map((a) => a.getAttribute("href").slice(1));
  return Array.from(new Set([...targets, ...all("section[id], details[id], article[id]").map((e) => e.id)]));
}

const next = (target, event) => new Promise((done) => target.addEventListener(event, done, { once: true }));

/* Follows each link with everything closed: what it leads to must be visible, and near the top of the window. */
async function deepLinks(ids) {
  const complaints = [];
  for (const id of ids) {
    for (const details of all("details")) details.open = false;
    await follow(["#" + id]);
    complaints.push(...revealed(id));
  }
  return complaints;
}

/* The element of an address; a line of a payload, "a-0-12:L7", is in the payload's element. */
function targetOf(id) {
  return document.getElementById(id.replace(/^(a-\d+-\d+):L\d+$/, "$1"));
}

async function follow(links) {
  for (const link of links) {
    const changed = next(window, "hashchange");
    location.hash = link;
    await changed;
  }
}

function revealed(id) {
  const target = targetOf(id), complaints = [];
  for (let e = target; e; e = e.parentElement)
    if (e.tagName === "DETAILS" && !e.open) complaints.push("#" + id + " does not open " + name(e));
  const box = target.getBoundingClientRect(), end = document.documentElement.scrollHeight - innerHeight - scrollY;
  if (box.height === 0) complaints.push("#" + id + " is not visible");
  const isInView = box.top >= -1 && (box.top <= innerHeight / 2 || end <= 1);
  if (!isInView) complaints.push("#" + id + " is not in view but at " + box.top);
  return complaints;
}

/* --- payloads --- */

/* [[id of the entry, name]] of all payloads that entries of compiles have. */
function payloadNames() {
  return all("details.compile button.open").map((button) => [button.closest("details").id, button.dataset.name]);
}

/* Opens payloads: [[id of the entry, name, text, strange elements in it, aria-expanded]]. Each must come, and go when
   its button is pressed again; the text is null when one did not. */
async function payloads(numbers) {
  const buttons = all("button.open"), opened = [];
  for (const number of numbers) {
    const button = buttons[number], home = button.closest(".artifact");
    button.click();
    await appears(".payload", home);
    const text = home.querySelector(".payload .text > pre:last-child");
    opened.push([button.closest("details.compile")?.id ?? "", button.dataset.name, text ? text.textContent : null,
                 text ? all("*", text).filter(isStrange).length : -1, button.getAttribute("aria-expanded")]);
    button.click();
    if (home.querySelector(".payload")) opened.at(-1)[2] = null;
  }
  return opened;
}

/* Lines and colors are spans with a class, places that a graph names are links into the page. */
const CODE = { SPAN: ["class", "data-line"], A: ["class", "href", "data-file", "data-line"] };
const isStrange = (e) => e.getAttributeNames().some((attribute) => !CODE[e.tagName]?.includes(attribute)) ||
  !CODE[e.tagName] || (e.tagName === "A" && !e.getAttribute("href").startsWith("#"));

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function appears(selector, home = document) {
  for (let i = 0; i < 500 && !home.querySelector(selector); i++) await pause(i ? 10 : 0);
  return home.querySelector(selector);
}

/* One payload stays open, for checks that look at all of the page. */
async function openOne() {
  const button = document.querySelector("button.open");
  openAll();
  if (!button) return [];
  button.click();
  return (await appears(".payload", button.closest(".artifact"))) ? [] : ["the payload did not open"];
}

async function openNamed(what) {
  const button = all("button.open").find((b) => b.dataset.name === what), home = button.closest(".artifact");
  openAll();
  button.click();
  return [what, (await appears(".payload", home)).querySelector(".text > pre:last-child").textContent];
}

/* Presses a button of the payload that is open; what is written on it afterwards. */
async function press(what) {
  const button = all(".payload button").find((b) => b.textContent === what);
  button.click();
  for (let i = 0; i < 50 && button.isConnected && button.textContent === what; i++) await pause(10);
  return button.textContent;
}

/* --- colors --- */

function color(text) {
  const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
  return { r, g, b, a };
}

function over(top, below) {
  const mix = (a, b) => a * top.a + b * (1 - top.a);
  return { r: mix(top.r, below.r), g: mix(top.g, below.g), b: mix(top.b, below.b), a: 1 };
}

/* WCAG 2.2, relative luminance and contrast ratio. */
function luminance(c) {
  const linear = (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = [c.r, c.g, c.b].map((v) => linear(v / 255));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function ratio(a, b) {
  const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright + 0.05) / (dark + 0.05);
}

/* What is behind a text: the backgrounds of all elements around it, or the rectangle that a chart draws below it.
   `known` are those that were asked for before. */
function background(e, known) {
  if (!e) return color(matchMedia("(prefers-color-scheme: dark)").matches ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)");
  const drawn = e instanceof SVGElement && e.previousElementSibling;
  if (drawn) return color(getComputedStyle(drawn).fill);
  if (!known.has(e))
    known.set(e, over(color(getComputedStyle(e).backgroundColor), background(e.parentElement, known)));
  return known.get(e);
}

function hasText(e) {
  return Array.from(e.childNodes).some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
}

/* One complaint for each style of text whose contrast is below 4.5 to 1. */
function contrast() {
  const seen = new Map(), known = new Map();
  for (const e of all("body *")) {
    if (isOurScript(e) || !hasText(e) || !isVisible(e) || e.closest("svg title, .visually-hidden, .skip")) continue;
    const style = getComputedStyle(e), behind = background(e, known);
    const front = over(color(e instanceof SVGElement ? style.fill : style.color), behind);
    const key = [front, behind].map((c) => [c.r, c.g, c.b].map(Math.round).join(",")).join(" on ");
    if (!seen.has(key)) seen.set(key, { ratio: ratio(front, behind) * Number(style.opacity), example: name(e) });
  }
  const bad = Array.from(seen).filter(([, s]) => s.ratio < 4.5);
  return bad.map(([key, s]) => s.ratio.toFixed(2) + ": " + key + " in " + s.example);
}

/* How many styles of text `contrast` looks at: a page in which it sees none proves nothing. */
function textStyles() {
  return new Set(all("body *").filter((e) => !isOurScript(e) && hasText(e) && isVisible(e))
    .map((e) => getComputedStyle(e).color + getComputedStyle(e).backgroundColor)).size;
}

/* --- layout --- */

/* The page must not scroll sideways; names what sticks out. */
function sideways() {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  const scrolls = (e) => ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(e).overflowX);
  const out = all("body *").filter((e) => {
    if (e.getBoundingClientRect().right <= width + 1 || e.closest(".skip, svg svg")) return false;
    for (let x = e.parentElement; x; x = x.parentElement) if (scrolls(x)) return false;
    return true;
  });
  return [`${document.documentElement.scrollWidth} of ${innerWidth} pixels`, ...out.slice(0, 8).map(name)];
}

/* Whether a text is over several lines. */
function isBroken(node, from, to) {
  const range = document.createRange();
  range.setStart(node, from);
  range.setEnd(node, to);
  return new Set(Array.from(range.getClientRects(), (box) => Math.round(box.top))).size > 1;
}

/* Long words may be broken anywhere, so that nothing sticks out; those of labels only where a column is too narrow. */
function brokenWords() {
  const complaints = [];
  for (const e of all("dt, thead th, thead button, .badge, .id, .cache, nav a, h2, .tile span, .payload .bar button")) {
    if (!isVisible(e)) continue;
    for (const node of Array.from(e.childNodes).filter((n) => n.nodeType === Node.TEXT_NODE))
      for (const word of node.data.matchAll(/\S{1,20}/g))
        if (isBroken(node, word.index, word.index + word[0].length))
          complaints.push(word[0] + " in " + name(e));
  }
  return complaints;
}

/* --- accessibility --- */

function structure() {
  const complaints = [];
  if (!/^[a-z]{2}/.test(document.documentElement.lang)) complaints.push("the page names no language");
  if (!document.title.trim()) complaints.push("the page has no title");
  for (const selector of ["main", "h1", "body > header", "body > footer", "nav[aria-label]"])
    if (all(selector).length !== 1) complaints.push(all(selector).length + " of " + selector);
  let last = 0;
  for (const h of all("h1, h2, h3, h4, h5, h6")) {
    const level = Number(h.tagName[1]);
    if (level > last + 1) complaints.push("level " + level + " below level " + last + ": " + name(h));
    if (!h.textContent.trim()) complaints.push("an empty heading: " + name(h));
    last = level;
  }
  for (const section of all("main > section"))
    if (!section.querySelector(":scope > h2")) complaints.push("a section without a heading: " + name(section));
  return complaints;
}

function alternatives() {
  const complaints = [];
  for (const e of all("img")) if (!e.hasAttribute("alt")) complaints.push("an image without a text: " + name(e));
  for (const e of all("svg")) {
    const hasName = e.getAttribute("role") === "img" && e.getAttribute("aria-label")?.trim();
    if (!hasName && e.getAttribute("aria-hidden") !== "true") complaints.push("a drawing without a text: " + name(e));
  }
  return complaints;
}

function tables() {
  const complaints = [];
  for (const table of all("table")) {
    if (!table.querySelector("th")) complaints.push("a table without headers: " + name(table));
    for (const cell of all("thead td", table)) complaints.push("a cell that should be a header: " + name(cell));
    for (const row of all(":scope > tbody > tr", table))
      if (table.tHead && [...row.cells].reduce((sum, c) => sum + c.colSpan, 0) !== table.tHead.rows[0].cells.length)
        complaints.push("a row of another length: " + name(row));
  }
  for (const th of all("th")) {
    if (!th.hasAttribute("scope")) complaints.push("a header without a scope: " + name(th));
    if (!th.textContent.trim()) complaints.push("an empty header in " + name(th.closest("table")));
  }
  return complaints;
}

function lists() {
  const complaints = [];
  for (const list of all("ul, ol")) {
    for (const e of list.children) if (e.tagName !== "LI") complaints.push("a list holds what is no item: " + name(e));
    if (!list.children.length) complaints.push("an empty list in " + name(list.parentElement));
  }
  for (const item of all("li")) if (!item.closest("ul, ol")) complaints.push("an item without a list: " + name(item));
  for (const list of all("dl"))
    if (!list.querySelector("dt + dd")) complaints.push("an empty list in " + name(list.parentElement));
  return complaints;
}

/* Characters that turn the direction of writing around must not reach what follows the element they are in. */
function directions() {
  const complaints = [];
  for (const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walk.nextNode();) {
    const e = walk.currentNode.parentElement, style = getComputedStyle(e);
    const turns = /[\u202a-\u202e\u2066-\u2069]/.test(walk.currentNode.data);
    const isAlone = /isolate|plaintext/.test(style.unicodeBidi) && style.direction === "ltr";
    if (turns && !isAlone && !isOurScript(e) && !(e instanceof SVGElement)) complaints.push(name(e));
  }
  return complaints;
}

const INTERACTIVE = "a[href], button, summary, input, select, textarea, [tabindex]";

function controls() {
  const complaints = [];
  for (const e of all(INTERACTIVE)) {
    const labels = [e, ...(e.labels ?? [])].map((l) => l.textContent).join("");
    if (!(e.getAttribute("aria-label") || labels).trim()) complaints.push("a control without a name: " + name(e));
    if (e.tabIndex < 0) complaints.push("a control that the keyboard cannot reach: " + name(e));
    if (e.tabIndex > 0) complaints.push("a control that changes the order: " + name(e));
    if (e.parentElement.closest("a, button")) complaints.push("a control in a control: " + name(e));
  }
  for (const e of all("[onclick], [role=button], [role=link]"))
    if (!e.matches(INTERACTIVE)) complaints.push("a control that the keyboard cannot reach: " + name(e));
  return complaints;
}

/* Remembers what gets the focus, for `unreached`. */
function watchFocus() {
  window.reached = [];
  document.addEventListener("focusin", (event) => {
    const style = getComputedStyle(event.target);
    window.reached.push([event.target, style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1]);
  });
  return all(INTERACTIVE).filter(isVisible).length;
}

function unreached() {
  const reached = new Map(window.reached);
  const missed = all(INTERACTIVE).filter((e) => isVisible(e) && !reached.has(e));
  const complaints = missed.map((e) => "not reached: " + name(e));
  for (const [e, outlined] of reached) if (!outlined) complaints.push("the focus does not show on " + name(e));
  return complaints;
}

const checks = {
  foreign, pwned, missing, readable, counts, links, anchors, deepLinks, revealed, follow, payloadNames, payloads,
  appears, openAll, openOne, openNamed, press, contrast, textStyles, sideways, brokenWords, structure, alternatives,
  tables, lists, directions, controls, watchFocus, unreached,
};
return checks[arguments[0]](...Array.prototype.slice.call(arguments, 1));
