/*
 * Uses the report as a person does who got it by mail: reads the first finding, follows it to the line of output code,
 * opens a payload, searches, sends a link, works with the keyboard alone; and asks axe-core about what a screen reader
 * or weak eyes meet, in light and dark, wide and narrow.
 *
 *   node person.mjs PT2TRACE TESTDATA [DIRECTORY_FOR_SCREENSHOTS]
 *
 * Prints TAP. Needs Chromium, and the packages that tools/setup --tests installs beside this file.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { end, equal, point } from "./tap.mjs";

function nothingTested(why) {
  console.error(`person.mjs: NOTHING WAS TESTED, ${why}`);
  console.log(`ok 1 - the report, used by a person # SKIP ${why}\n1..1`);
  process.exit(0);
}

/* --- what is needed --- */

const [pt2trace, testdata, shots] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
let chromium, axe;
try {
  ({ chromium } = require("playwright-core"));
  axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
} catch {
  nothingTested("playwright-core or axe-core is not installed: tools/setup --tests");
}
if (!browserPath) nothingTested("chromium is not installed: tools/setup --tests");

const temp = mkdtempSync(join(tmpdir(), "pt2trace-person-"));
process.on("exit", () => rmSync(temp, { recursive: true, force: true }));

/* The address of a report on a trace of the testdata; written when it is asked for first. */
function reportOn(name) {
  const out = join(temp, name), address = pathToFileURL(join(out, "index.html")).href;
  if (existsSync(out)) return address;
  const done = spawnSync(pt2trace, ["report", "--no-browser", "-q", "-o", out, join(testdata, name, "trace")]);
  if (done.status !== 0) throw new Error(`no report on ${name}: ${done.stderr}`);
  return address;
}

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
  "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });

/* A page that collects what goes wrong on it. axe-core is run from outside, so the page's own policy stays as it is. */
async function visit(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", bypassCSP: true,
    permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  page.wrong = [];
  page.on("pageerror", (error) => page.wrong.push(String(error)));
  page.on("console", (message) => { if (/error|warning/.test(message.type())) page.wrong.push(message.text()); });
  await page.goto(address);
  return page;
}

async function leave(page, when) {
  point(`nothing went wrong ${when}`, page.wrong.length === 0, page.wrong);
  await page.context().close();
}

/* --- from the first finding to the line of output code --- */

async function followFinding() {
  const page = await visit(reportOn("recompiles"));
  const first = page.locator(".finding").first();
  point("the first finding is on the first screen", (await first.boundingBox()).y < 900);
  const title = await first.locator("h3").innerText();
  point("it says in one sentence what is wrong", title.length > 15, title);
  await first.locator("a.id").first().click();
  const entry = page.locator(page.url().match(/#.*/)[0].replace(/#(.*)/, "[id='$1']"));
  point("its compile opens", await entry.evaluate((e) => e.open));
  await entry.getByRole("button", { name: /output code|captured by Dynamo/i }).last().click();
  await entry.locator(".payload").waitFor();
  point("its code opens there", (await entry.locator(".payload").innerText()).length > 100);
  await leave(page, "from a finding to its code");
}

/* --- a payload: lines, a link to one, a copy --- */

async function openPayload() {
  const page = await visit(reportOn("provenance"));
  await page.locator("nav").getByRole("link", { name: "Code" }).click();
  const entry = page.locator("#code details").first();
  if (!(await entry.evaluate((e) => e.open))) await entry.locator("summary").first().click();
  const button = entry.getByRole("button", { name: /output code/i }).first();
  await button.click();
  const payload = entry.locator(".payload").first();
  await payload.waitFor();
  await payload.getByRole("button", { name: "Copy" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  point("Copy takes all of it", copied.includes("async_compile") || copied.includes("def call"), copied.slice(0, 100));
  const address = await button.getAttribute("data-anchor");
  await leave(page, "with a payload");

  const other = await visit(reportOn("provenance") + `#${address}:L5`);
  await other.locator(".payload").first().waitFor();
  const marked = other.locator(".payload .marked, .payload .target, .payload [aria-current]").first();
  await marked.waitFor({ timeout: 5000 });
  // The payload is drawn piece by piece on a busy machine.
  const fifth = copied.split("\n")[4].trim();
  let there = "";
  for (let tries = 0; tries < 50 && !(fifth && there.includes(fifth)); tries++) {
    await other.waitForTimeout(100);
    there = await marked.innerText();
  }
  point("a link to a line leads there", fifth && there.includes(fifth), [copied.split("\n").slice(0, 7), there]);
  await leave(other, "at a link to a line");
}

/* --- compiles and their times --- */

async function compilesInPlace() {
  const page = await visit(reportOn("recompiles")), row = (label) => page.locator("#compile-table > tbody > tr:not(.detail)", { hasText: label });
  const below = (label) => row(label).locator("xpath=following-sibling::tr[1]").locator("details.compile");
  await row("[0/1]").locator("td").nth(2).click();
  point("a row opens below itself", await below("[0/1]").isVisible());
  await row("[0/0]").getByRole("button").press("Enter");
  point("and by its button, with the keyboard", await below("[0/0]").isVisible());
  await page.locator("#compile-table thead").getByRole("button", { name: "Time" }).click();
  point("what is open stays with its row when they are sorted",
    (await below("[0/1]").getAttribute("id")) === "c-0_1" && (await below("[0/0]").getAttribute("id")) === "c-0_0");
  await page.locator("#filter").fill("[0/1]");
  point("and goes with it when they are filtered", await below("[0/1]").isVisible() && !(await page.locator("[id='c-0_0']").isVisible()));
  await row("[0/1]").locator("td").nth(2).click();
  point("a second click closes it", !(await page.locator("[id='c-0_1']").isVisible()));
  await page.locator("#filter").fill("");
  await page.evaluate(() => { location.hash = "#c-0_2"; });
  await below("[0/2]").waitFor();
  point("a link opens it there, and leads to it", (await below("[0/2]").boundingBox()).y < 900);
  point("with its row in view", (await row("[0/2]").boundingBox()).y >= await page.evaluate(() => document.querySelector("nav").getBoundingClientRect().bottom) - 1);
  await page.locator("#stacks a.id").first().hover();
  const tip = page.locator("#id-tip");
  point("an id says what it is", /^sizes, recompiles\.py:\d+, ok, \d/.test(await tip.innerText()), await tip.innerText());
  await leave(page, "among compiles");
}

async function totals() {
  const page = await visit(reportOn("transformer")), box = page.locator(".totals").first(), chart = page.locator(".chart canvas").first();
  await box.locator("summary").click();
  const rows = () => box.locator("tbody tr").evaluateAll((all) => all.map((r) => [...r.cells].map((c) => c.textContent)));
  const all = await rows();
  equal("the totals begin with what took longest", "compile_file", all[0][0]);
  const share = all.reduce((sum, [, , , part]) => sum + (parseInt(part, 10) || 0), 0);
  point("shares of what is listed are about the whole", share > 85 && share <= 102, share);
  await chart.focus();
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  const caption = await box.locator("caption").innerText(), inner = await rows();
  point("of a chosen event they are what is in it", caption.startsWith("compile_attempt_0: "), caption);
  point("which is less", Number(inner[0][1]) < Number(all[0][1]), inner[0], all[0]);
  const frames = page.locator("#stacks .folded details").first();
  await frames.locator("summary").click();
  point("frames of PyTorch open", /\/torch\/\S+\.py:\d+/.test(await frames.locator("pre").innerText()));
  const place = page.locator("#stacks .place").first(), shown = () => place.evaluate((e) => getComputedStyle(e, "::after").content);
  await page.keyboard.press("f");
  point("f shows full paths", (await shown()).includes("/"), await shown());
  await leave(page, "with totals and frames");
}

/* --- what people come for, with the clicks that it takes --- */

async function tasks() {
  const counted = async (name, most, report, task) => {
    const page = await visit(reportOn(report));
    let clicks = 0;
    await task(page, async (target) => { clicks++; await target.click(); });
    point(`${name}: ${most} clicks at most`, clicks <= most, clicks);
    await leave(page, name);
  };
  await counted("the cause of the slowest recompile", 0, "recompiles", async (page) => {
    const title = await page.locator("article.finding h3").innerText();
    point("it is the first title", /recompiled/.test(title) && /went from|changed|was/.test(title), title);
  });
  await counted("the line to change, and how", 1, "recompiles", async (page, click) => {
    const finding = page.locator("article.finding");
    point("the line is there", /\.py:\d+/.test(await finding.locator(".meta").first().innerText()));
    await click(finding.getByRole("button", { name: "Copy", exact: true }));
    equal("and the text to paste", await finding.locator("pre.paste").innerText(), await page.evaluate(() => navigator.clipboard.readText()));
  });
  await counted("the kernel of a line", 4, "provenance", async (page, click) => {
    await click(page.locator("nav").getByRole("link", { name: "Output code" }));
    const entry = page.locator("#code details.entry").first();
    if (!(await entry.evaluate((e) => e.open))) await click(entry.locator("summary"));
    await click(entry.getByRole("button", { name: /linked/ }).first());
    await click(page.locator(".pane.source .row", { hasText: "relu" }).first());
    const kernels = await page.locator(".pane.kernels .row.linked").allInnerTexts();
    point("is marked", kernels.some((text) => text.includes("cpp_fused")), kernels);
  });
  await counted("what another rank did", 1, "ranks_branch", async (page, click) => {
    await click(page.locator(".ranks-line a, nav a[href='#ranks']").first());
    const rows = await page.locator("#ranks details[open] tbody tr").allInnerTexts();
    point("stands beside what the others did", rows.some((text) => text.startsWith("rank 1") && text.includes("sin")), rows);
  });
  await counted("a text for an issue", 1, "graph_breaks", async (page, click) => {
    await click(page.locator("article.finding").getByRole("button", { name: "Copy as Markdown" }));
    const text = await page.evaluate(() => navigator.clipboard.readText());
    point("has the title and the line", text.includes("graph_breaks.py:") && /^[#*]/.test(text), text.slice(0, 200));
  });
}

/* --- search --- */

async function search() {
  const page = await visit(reportOn("graph_breaks"));
  await page.keyboard.press("/");
  await page.keyboard.type("print");
  const result = page.locator(".results button").first();
  await result.waitFor();
  /* There are results after the first letter; what is asked here is what there is after the last. */
  await page.waitForFunction(() => document.querySelector(".results button").textContent.toLowerCase().includes("print"))
    .catch(() => {});
  point("the search finds what the page says", (await result.innerText()).toLowerCase().includes("print"));
  await page.keyboard.press("Enter");
  point("Enter leads there", await page.evaluate(() => document.activeElement.textContent.toLowerCase().includes("print")));
  await leave(page, "when searching");
}

/* --- the keyboard alone --- */

async function keyboardOnly() {
  const page = await visit(reportOn("graph_breaks"));
  const active = (look) => page.evaluate(look);
  await page.keyboard.press("Tab");
  point("the first stop skips to the findings", (await active(() => document.activeElement.textContent)).includes("Skip"));
  await page.keyboard.press("Enter");
  await page.keyboard.press("n");
  point("n goes to a finding", await active(() => document.activeElement.matches(".finding, summary")));
  for (let i = 0; i < 30 && !(await active(() => document.activeElement.matches(".finding a.id"))); i++)
    await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.startsWith("#c-"));
  point("Enter follows its link to the compile", await active(() => document.getElementById(location.hash.slice(1)).open));
  await page.evaluate(() => document.querySelector(location.hash.replace(/#(.*)/, "[id='$1']") + " button.open").focus());
  await page.keyboard.press("Enter");
  await page.locator(".payload").first().waitFor();
  const stops = [];
  for (let i = 0; i < 12 && stops.at(-1) !== "Close"; i++) {
    await page.keyboard.press("Tab");
    stops.push(await active(() => document.activeElement.textContent));
  }
  equal("Tab leads to the button that closes it", "Close", stops.at(-1));
  await page.keyboard.press("Enter");
  equal("which does", 0, await page.locator(".payload").count());
  await page.keyboard.press("?");
  point("? lists the keys", await page.locator("dialog[open]").isVisible());
  await page.keyboard.press("Escape");
  equal("Escape closes the list", 0, await page.locator("dialog[open]").count());
  await leave(page, "with the keyboard alone");
}

/* --- a finger, on a telephone --- */

async function touch() {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await visit(reportOn("graph_breaks"), phone);
  const line = page.locator("details.finding > summary").first();
  await line.tap();
  point("a tap opens a finding", await line.locator("..").evaluate((e) => e.open));
  const chip = page.locator(".chips button").filter({ hasText: "medium" }).first();
  await chip.tap();
  equal("a tap on a chip chooses", "true", await chip.getAttribute("aria-pressed"));
  point("and the address says so", page.url().includes("severity=medium"), page.url());
  await chip.tap();
  await page.locator("article.finding").getByRole("button", { name: "Copy as Markdown" }).tap();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  point("a tap copies", text.startsWith("###"), text.slice(0, 100));
  await leave(page, "with a finger, among findings");

  const compiles = await visit(reportOn("recompiles"), phone);
  const row = compiles.locator("#compile-table > tbody > tr:not(.detail)").first();
  await row.locator("td").nth(1).tap();
  point("a tap opens a compile below its row", await compiles.locator("#compile-table tr.detail").first().isVisible());
  const code = compiles.locator("#compile-table tr.detail button.open:visible").last();
  await code.tap();
  await compiles.locator(".payload").waitFor();
  await compiles.locator(".payload").getByRole("button", { name: "Close" }).tap();
  equal("taps open and close a payload", 0, await compiles.locator(".payload").count());
  await compiles.locator("nav").getByRole("link").first().tap();
  const small = await compiles.evaluate(() => [...document.querySelectorAll("nav a, .chips button, summary, button")]
    .filter((e) => e.checkVisibility()).map((e) => [e.getBoundingClientRect(), e.textContent.slice(0, 40)])
    .filter(([box]) => box.width && (box.height < 24 && box.width < 24)).map(([, words]) => words));
  point("nothing to tap is smaller than 24 pixels both ways", small.length === 0, small);
  await leave(compiles, "with a finger, among compiles");
}

/* --- axe-core --- */

async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, {
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    resultTypes: ["violations"],
  }));
  return found.violations.flatMap((v) => v.nodes.slice(0, 3).map((n) => `${v.id}: ${n.target.join(" ")}: ${n.html.slice(0, 160)}`));
}

async function openEverything(page) {
  await page.evaluate(() => { for (const e of document.querySelectorAll("details")) e.open = true; });
  const button = page.locator("button.open").first();
  if (await button.count()) {
    await button.click();
    await page.locator(".payload").first().waitFor();
  }
  /* Tables that scroll sideways are made known to the keyboard when they come near the screen. */
  await page.evaluate(async () => {
    for (const section of document.querySelectorAll("main > section")) {
      section.scrollIntoView();
      await new Promise((done) => setTimeout(done, 50));
    }
  });
  /* What lies below the navigation, which sticks to the top, is no neighbor of its links. */
  await page.evaluate(() => scrollTo(0, 0));
}

/*
 * axe-core compares each element with all that may lie over it, so that it takes a minute for a page on which everything
 * is open. Of siblings that are built alike it gets three: what is wrong with one row of a table is wrong with the others.
 */
async function leaveThreeOfAKind(page) {
  await page.evaluate(() => {
    const name = (e) => `${e.tagName}.${e.className}.${e.getAttribute("role")}`;
    const built = (e) => [name(e), ...[...new Set([...e.querySelectorAll("*")].map(name))].sort()].join(" ");
    for (const parent of [...document.querySelectorAll("main, main *")]) {
      const seen = new Map();
      for (const child of [...parent.children]) {
        const kind = built(child), alike = (seen.get(kind) ?? 0) + 1;
        seen.set(kind, alike);
        if (alike > 3) child.remove();
      }
    }
  });
}

/* As it opens, and with everything opened. */
async function accessible(name, colorScheme, all) {
  const page = await visit(reportOn(name), { colorScheme });
  if (all) {
    await openEverything(page);
    await leaveThreeOfAKind(page);
  }
  const found = await violations(page);
  point(`${name}, ${colorScheme}${all ? ", all open" : ""}: axe-core has nothing to say`, found.length === 0, found);
  await leave(page, `on ${name} in ${colorScheme}`);
}

/* The pages that are no report: runs of an index, the difference of two runs, a program that is watched. */
function otherPages() {
  const trace = (name) => join(testdata, name, "trace"), at = (name) => join(temp, name);
  const [old, now] = [trace("graph_breaks-2.6.0"), trace("graph_breaks")];
  for (const words of [
    ["index", "-q", at("runs.db"), old, now, trace("recompiles"), trace("errors")],
    ["index", "-q", "--report", at("runs.db"), "-o", at("runs")],
    ["diff", "-q", "--format", "html", "-o", at("diff.html"), old, now],
    ["follow", "-q", "--once", "--html", at("watched"), now],
  ]) {
    const done = spawnSync(pt2trace, words);
    if (done.status !== 0) throw new Error(`pt2trace ${words.join(" ")}: ${done.status} ${done.stderr}`);
  }
  return ["runs/index.html", "diff.html", "watched/index.html"];
}

async function accessiblePages() {
  for (const name of otherPages())
    for (const [colorScheme, width] of [["light", 1280], ["dark", 390]]) {
      const page = await visit(pathToFileURL(join(temp, name)).href, { colorScheme, viewport: { width, height: 900 } });
      await openEverything(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      await leaveThreeOfAKind(page);
      const found = await violations(page);
      point(`${name}, ${colorScheme}, ${width} pixels: axe-core has nothing to say`, found.length === 0, found);
      point(`${name}, ${colorScheme}, ${width} pixels: nothing sticks out`, wide <= width, wide);
      await leave(page, `on ${name}, ${colorScheme}`);
    }
  for (const name of ["graph_breaks", "ranks_branch"]) {
    const page = await visit(reportOn(name), { viewport: { width: 390, height: 844 } });
    await openEverything(page);
    await leaveThreeOfAKind(page);
    const found = await violations(page);
    point(`${name}, 390 pixels, all open: axe-core has nothing to say`, found.length === 0, found);
    await leave(page, `on ${name} at 390 pixels`);
  }
}

/* A check that cannot fail is none: axe-core must see what is wrong. */
async function axeSees() {
  const page = await visit("data:text/html,<html><title>x</title><img src='data:,'><p style='color:%23ccc'>pale</p>");
  const found = await violations(page);
  point("axe-core sees a page that is wrong", ["html-has-lang", "image-alt", "color-contrast"].every((id) =>
    found.some((line) => line.startsWith(id))), found);
  await page.context().close();
}

/* --- as it looks --- */

async function screenshots() {
  const address = reportOn("recompile_limit");
  for (const [colorScheme, width] of [["light", 1280], ["dark", 1280], ["light", 400], ["dark", 400]]) {
    const page = await visit(address, { colorScheme, viewport: { width, height: 900 } });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    point(`${colorScheme}, ${width} pixels: nothing sticks out`, wide <= width, wide);
    if (shots) await page.screenshot({ path: join(shots, `report-${colorScheme}-${width}.png`) });
    await leave(page, `in ${colorScheme} at ${width} pixels`);
  }
}

/* While a large page loads, what its script will add has its place already. */
async function steady() {
  const page = await visit(reportOn("graph_breaks"));
  const links = () => page.evaluate(() => [...document.querySelectorAll("nav a, main")].map((a) => {
    const { x, y, width } = a.getBoundingClientRect();
    return [x, y, width].map(Math.round).join(" ");
  }).join(", "));
  const after = await links();
  await page.evaluate(() => {
    document.querySelector("nav .search").remove();
    document.querySelector("nav button").remove();
    document.querySelector("nav [aria-current]").removeAttribute("aria-current");
  });
  equal("sections and their links stand where they stood before the script ran", after, await links());
  await leave(page, "while the page was loading");
}

/* Words of headings and of numbers that stand on more than one line: the letters of a cell that is too narrow. */
function brokenWords() {
  const broken = [];
  for (const cell of document.querySelectorAll("th, td.number")) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (cell.checkVisibility() && texts.nextNode())
      for (const word of texts.currentNode.data.matchAll(/\S+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map((r) => r.top));
        if (lines.size > 1) broken.push(`${cell.closest("section")?.id}: ${word[0]}`);
      }
  }
  return broken;
}

/* On paper (A4, without its margins) what is closed stays closed but for findings, breaks, recompiles and errors. */
async function paper() {
  for (const name of ["recompile_limit", "dynamic_shapes"]) {
    const page = await visit(reportOn(name), { viewport: { width: 718, height: 1000 } });
    await page.emulateMedia({ media: "print" });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    point(`${name}, printed: settings that were closed are not on paper`,
      await page.evaluate(() => [...document.querySelectorAll("#config details:not([open]) td")].every((td) => !td.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }))));
    point(`${name}, printed: findings are`,
      await page.evaluate(() => [...document.querySelectorAll(".finding pre")].every((pre) => pre.checkVisibility())));
    const broken = await page.evaluate(brokenWords);
    point(`${name}, printed: no heading and no number is broken`, broken.length === 0, broken.slice(0, 8));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    point(`${name}, printed: nothing sticks out of the paper`, wide <= 718, wide);
    await leave(page, `on ${name}, printed`);
  }
}

try {
  await axeSees();
  await followFinding();
  await openPayload();
  await compilesInPlace();
  await totals();
  await tasks();
  await search();
  await keyboardOnly();
  await touch();
  await accessible("graph_breaks", "light", false);
  await accessible("dist2", "dark", false);
  for (const name of ["recompile_limit", "dynamic_shapes", "errors"]) await accessible(name, "light", true);
  for (const name of ["hello", "errors_inductor"]) await accessible(name, "dark", true);
  await accessiblePages();
  await screenshots();
  await steady();
  await paper();
} catch (error) {
  point("the tests come to their end", false, String(error.stack).split("\n"));
} finally {
  await browser.close();
}
end();
