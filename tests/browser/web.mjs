/*
 * Uses pt2trace.html as a person does who cannot install a program: in Chromium, without a network, from a file. Gives it
 * directories, files, text and a hostile trace, and compares what it saves with what the native program writes.
 *
 *   node web.mjs PT2TRACE PAGE.html SOURCE [--large] [--all] [PART...]
 *
 * Prints TAP. --all takes every trace of testdata, and those that lie beside the repository; --large traces of 200 MB
 * and 1 GB, with progress, cancel, time and memory. Needs Chromium, and the packages that tools/setup --tests installs beside this
 * file.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { end, equal, point } from "./tap.mjs";

const [pt2traceGiven, pageGiven, source, ...flags] = process.argv.slice(2);
const pt2trace = resolve(pt2traceGiven), pageAddress = pathToFileURL(resolve(pageGiven)).href;
const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
if (!browserPath) throw new Error("chromium is not installed: tools/setup --tests");

const temp = mkdtempSync(join(tmpdir(), "pt2trace-web-"));
process.on("exit", () => rmSync(temp, { recursive: true, force: true }));
const WAIT = 120000;

const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
  "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });

/* A tab with the page, in a browser without a network, that notes every request and all that goes wrong. */
async function open({ address = pageAddress, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce",
    acceptDownloads: true, ...options });
  if (!options.online) await context.setOffline(true);
  const tab = await context.newPage();
  tab.setDefaultTimeout(WAIT);
  tab.wrong = [];
  tab.asked = [];
  tab.on("pageerror", (error) => tab.wrong.push(String(error)));
  tab.on("console", (message) => { if (/error|warning/.test(message.type())) tab.wrong.push(message.text()); });
  context.on("request", (request) => tab.asked.push(request.url()));
  tab.on("dialog", (dialog) => { tab.wrong.push("dialog"); dialog.dismiss(); });
  await tab.goto(address);
  return tab;
}

async function leave(tab, when) {
  point(`nothing went wrong ${when}`, tab.wrong.length === 0, tab.wrong);
  const asked = tab.asked.filter((address) => !/^(file|blob|data):/.test(address));
  point(`nothing was asked of the network ${when}`, asked.length === 0, asked);
  await tab.context().close();
}

const done = (tab) => tab.locator("#result:not([hidden])").waitFor();

async function choose(tab, path) {
  await tab.setInputFiles(statSync(path).isDirectory() ? "#directory" : "#files", path);
  await done(tab);
}

/* As from a file manager: the browser gets paths, not contents. */
async function drop(tab, ...paths) {
  const session = await tab.context().newCDPSession(tab);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"])
    await session.send("Input.dispatchDragEvent", { type, x: 400, y: 300, data });
  await done(tab);
}

async function saved(tab, button) {
  const [download] = await Promise.all([tab.waitForEvent("download"), tab.locator(button).click()]);
  return readFileSync(await download.path());
}

/* What the native program makes of the same words in a directory where the same lies. */
function natively(folder, ...words) {
  const out = spawnSync(pt2trace, words, { cwd: folder, argv0: "pt2trace", env: { PATH: process.env.PATH, LANG: "C.UTF-8" },
    maxBuffer: 1 << 28 });
  const at = join(folder, "pt2trace_out"), files = {};
  for (const name of existsSync(at) ? ["index.html", "report.json"] : []) files[name] = readFileSync(join(at, name));
  rmSync(at, { recursive: true, force: true });
  return { ...out, files };
}

/* A copy of what lies at a path, alone in a directory. */
function alone(path) {
  const folder = mkdtempSync(join(temp, "alone-"));
  cpSync(path, join(folder, basename(path)), { recursive: true, dereference: true });
  return folder;
}

async function sameAsNative(tab, name, folder, give, ...options) {
  const [entry] = readdirSync(folder), native = natively(folder, ...options, entry);
  await give(tab, join(folder, entry));
  const complaints = await tab.locator("#complaints").textContent();
  equal(`${name}: the same complaints`, native.stderr.toString(), complaints);
  if (!native.files["index.html"]) {
    point(`${name}: no report either`, await tab.locator("#save-report").isHidden());
    return;
  }
  const json = await saved(tab, "#save-json"), page = await saved(tab, "#save-report");
  point(`${name}: the same report.json, byte for byte`, json.equals(native.files["report.json"]), json.length);
  point(`${name}: the same page, byte for byte`, page.equals(native.files["index.html"]), page.length);
}

/* --- all the ways in --- */

const testdata = join(source, "testdata");

async function traces() {
  const folders = flags.includes("--all") ? readdirSync(testdata) : ["graph_breaks", "errors", "ranks_branch", "logs"];
  const beside = join(source, "..", "shared", "traces");
  const paths = folders.map((name) => join(testdata, name, "trace"));
  if (flags.includes("--all") && existsSync(beside)) paths.push(...readdirSync(beside).map((name) => join(beside, name)));
  for (const path of paths.filter((path) => existsSync(path) && statSync(path).isDirectory()))
    for (const [how, give] of [["dropped", drop], ["chosen", choose]]) {
      const tab = await open(), folder = alone(path), name = path.split("/").slice(-2).join("/");
      await sameAsNative(tab, `${name}, ${how}`, folder, give);
      await leave(tab, `with ${name}, ${how}`);
    }
}

async function files() {
  const [name] = readdirSync(join(testdata, "recompiles", "trace")), path = join(testdata, "recompiles", "trace", name);
  for (const give of [choose, drop]) {
    const tab = await open();
    await sameAsNative(tab, `one file, ${give.name}`, alone(path), give);
    const frame = tab.frameLocator("#report");
    point("the report is shown", (await frame.locator("h1").innerText()).length > 3);
    await frame.locator(".finding").first().locator("a.id").first().click();
    point("its script works in the frame", await frame.locator("details.compile[open]").count() > 0);
    await leave(tab, "with one file");
  }
}

async function paste() {
  const tab = await open(), folder = mkdtempSync(join(temp, "alone-"));
  const text = readFileSync(join(source, "tests/cases/paste/user-error-2.13.0.txt"), "utf8");
  writeFileSync(join(folder, "pasted.txt"), text);
  await sameAsNative(tab, "a pasted text", folder, async () => {
    await tab.locator("#text").fill(text);
    await tab.getByRole("button", { name: "Read the text" }).click();
    await done(tab);
  });
  await leave(tab, "with a pasted text");
}

/* --- what is done with a report --- */

async function redacted() {
  const tab = await open(), folder = alone(join(testdata, "graph_breaks", "trace"));
  await choose(tab, join(folder, "trace"));
  await tab.locator("#redact").check();
  await tab.locator("#work").waitFor({ state: "hidden" });
  const native = natively(folder, "--redact", "trace");
  point("redacted: the same page", (await saved(tab, "#save-report")).equals(native.files["index.html"]));
  const issue = natively(folder, "export", "--format", "markdown", "--redact", "trace").stdout;
  equal("redacted: the same text for an issue", issue.toString(), (await saved(tab, "#save-issue")).toString());
  await leave(tab, "with redaction");
}

async function compared() {
  const tab = await open(), folder = mkdtempSync(join(temp, "two-"));
  for (const [side, name] of [["before", "caches_cold"], ["after", "caches_warm"]])
    cpSync(join(testdata, name, "trace"), join(folder, side, "trace"), { recursive: true });
  await choose(tab, join(folder, "before", "trace"));
  await tab.getByRole("button", { name: "Compare with another" }).click();
  equal("it asks for the other side", "Compare with what?", await tab.locator("h1").innerText());
  await choose(tab, join(folder, "after", "trace"));
  const native = natively(folder, "diff", "before/trace", "after/trace").stdout.toString();
  equal("the same comparison", native, await tab.locator("#difference").textContent());
  await leave(tab, "with a comparison");
}

/* --- what goes wrong --- */

async function wrongFiles() {
  const folder = (name, bytes) => {
    const at = mkdtempSync(join(temp, "alone-"));
    writeFileSync(join(at, name), bytes);
    return at;
  };
  const [name] = readdirSync(join(testdata, "recompiles", "trace"));
  let trace = readFileSync(join(testdata, "recompiles", "trace", name));
  trace = name.endsWith(".gz") ? trace : gzipSync(trace);
  for (const [what, at] of [["a picture", folder("a.png", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"))],
    ["an empty file", folder("empty.log", "")], ["a cut-off trace", folder("cut.log.gz", trace.subarray(0, trace.length / 2))],
    ["a name with a dash", folder("-q.log.gz", trace)]]) {
    const tab = await open();
    await sameAsNative(tab, what, at, choose, ...(what === "a name with a dash" ? ["--"] : []));
    await leave(tab, `with ${what}`);
  }
}

/* The page with a program that gets only so much memory more than it starts with, in pages of 64 KiB. */
function starved(pages) {
  const html = readFileSync(resolve(pageGiven), "utf8"), element = /(<script type="text\/plain" id="program">)([^<]*)/;
  const program = gunzipSync(Buffer.from(element.exec(html)[2], "base64"));
  const number = (at) => { /* LEB128: the value, and where the next begins */
    let value = 0, shift = 0, byte;
    do { byte = program[at++]; value += (byte & 127) * 2 ** shift; shift += 7; } while (byte & 128);
    return [value, at];
  };
  const bytes = (n) => n < 128 ? [n] : [n & 127 | 128, ...bytes(n >> 7)];
  for (let at = 8, size, body; at < program.length; at = body + size) {
    const section = program[at];
    [size, body] = number(at + 1);
    if (section !== 5) continue;
    const [least] = number(body + 2), memory = [1, 1, ...bytes(least), ...bytes(least + pages)]; /* one, with a limit */
    const changed = Buffer.concat([program.subarray(0, at), Buffer.from([5, ...bytes(memory.length), ...memory]),
      program.subarray(body + size)]);
    const path = join(temp, "starved.html");
    writeFileSync(path, html.replace(element, (all, tag) => tag + gzipSync(changed).toString("base64")));
    return pathToFileURL(path).href;
  }
  throw new Error("the program has no memory");
}

async function memory() {
  const tab = await open({ address: starved(8) });
  await choose(tab, join(testdata, "graph_breaks", "trace"));
  point("out of memory: said as by the program",
    /^pt2trace: out of memory: /m.test(await tab.locator("#complaints").textContent()), await tab.locator("#complaints").textContent());
  point("out of memory: what can be done", (await tab.locator("#advice").innerText()).includes("4 GB"));
  point("out of memory: no report", await tab.locator("#save-report").isHidden());
  await tab.getByRole("button", { name: "Read something else" }).click();
  await tab.locator("#start").waitFor();
  await leave(tab, "without memory");
}

/* --- hostile traces --- */

async function hostile() {
  let hits = 0;
  const server = createServer((request, response) => { hits++; response.end(); }).listen(0, "127.0.0.1");
  await new Promise((go) => server.once("listening", go));
  const folder = join(temp, "hostile");
  mkdirSync(folder);
  const port = server.address().port;
  const evil = `<img src="http://127.0.0.1:${port}/a"><script>fetch("http://127.0.0.1:${port}/b");top.pwned=1;window.pwned=1</script>`;
  writeFileSync(join(folder, "dedicated_log_torch_trace_rank_0_x.log"),
    `V1122 10:00:00.000000 1 torch/_dynamo/convert_frame.py:1] {"str": [${JSON.stringify(evil)}, 0]}\n` +
    `V1122 10:00:00.000000 1 torch/_dynamo/convert_frame.py:1] {"dynamo_start": {"stack": [{"line": 1, "name": ${JSON.stringify(evil)}, "filename": 0, "loc": ${JSON.stringify(evil)}}]}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0}\n` +
    `V1122 10:00:00.000000 1 torch/_dynamo/convert_frame.py:1] {"artifact": {"name": ${JSON.stringify(evil)}, "encoding": "string"}, "frame_id": 0, "frame_compile_id": 0, "attempt": 0, "has_payload": "0"}\n\t${evil}\n`);
  const made = spawnSync("python3", ["-c", "import hostile, pathlib, sys; hostile.write(pathlib.Path(sys.argv[1]))", folder],
    { cwd: join(source, "tests/e2e"), env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" } });
  equal("hostile traces are made", "", String(made.stderr));
  const tab = await open({ online: true });
  await choose(tab, folder);
  await tab.waitForTimeout(500);
  const worlds = tab.frames();
  const pwned = await Promise.all(worlds.map((frame) => frame.evaluate(() => window.pwned ?? null)));
  point("the hostile report is shown", worlds.length === 2 && (await worlds[1].content()).includes("&lt;script"), worlds.length);
  point("no script of a trace runs", pwned.every((value) => value === null), pwned);

  /* A report that would be nothing but hostile: the frame holds what the report itself lets through. */
  const inside = worlds[1];
  const tried = await inside.evaluate(async (port) => {
    const results = {};
    const img = new Image();
    img.src = `http://127.0.0.1:${port}/c`;
    results.fetch = await fetch(`http://127.0.0.1:${port}/d`).then(() => "sent", () => "refused");
    const script = document.createElement("script");
    script.textContent = "window.ran = 1";
    document.body.append(script);
    results.script = window.ran ?? "refused";
    try { results.parent = String(parent.document.title); } catch { results.parent = "refused"; }
    try { results.storage = String(localStorage.length); } catch { results.storage = "refused"; }
    return results;
  }, port);
  for (const [what, result] of Object.entries(tried)) equal(`in the frame, ${what} is refused`, "refused", result);
  const outside = await tab.evaluate(async (port) =>
    fetch(`http://127.0.0.1:${port}/e`).then(() => "sent", () => "refused"), port);
  equal("in the page, fetch is refused", "refused", outside);
  await tab.waitForTimeout(500);
  equal("no request left", 0, hits);
  server.close();
  await tab.context().close();
}

/* --- for everybody --- */

async function judge(tab, where) {
  await tab.evaluate(axe);
  const { violations } = await tab.evaluate(() => axe.run(document, { iframes: false }));
  point(`axe-core says nothing ${where}`, violations.length === 0,
    violations.map((v) => `${v.id}: ${v.help}: ${v.nodes[0].html}`));
}

async function everybody() {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 360]) {
      const tab = await open({ colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
      const where = `${colorScheme}, ${width} wide`;
      await judge(tab, `at the beginning, ${where}`);
      point(`it is as wide as the window, ${where}`, await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await choose(tab, join(testdata, "graph_breaks", "trace"));
      await judge(tab, `beside a report, ${where}`);
      await tab.locator("#again").click();
      await tab.locator("#text").fill("nothing");
      await tab.getByRole("button", { name: "Read the text" }).click();
      await done(tab);
      await judge(tab, `beside a complaint, ${where}`);
      await tab.context().close();
    }
  }
}

/* Everything by Tab and Enter. */
async function keyboard() {
  const tab = await open(), reached = [];
  for (let i = 0; i < 12 && !reached.includes("text"); i++) {
    await tab.keyboard.press("Tab");
    reached.push(await tab.evaluate(() => document.activeElement.id));
  }
  point("files, directory and text are reached by Tab", ["choose-files", "choose-directory", "text"].every((id) => reached.includes(id)),
    reached);
  const chooser = tab.waitForEvent("filechooser");
  await tab.locator("#choose-files").press("Enter");
  await (await chooser).setFiles(join(source, "tests/cases/paste/user-error-2.13.0.txt"));
  await done(tab);
  equal("what came of it has the focus", "title", await tab.evaluate(() => document.activeElement.id));
  await leave(tab, "with the keyboard");
}

/* --- large traces --- */

function generate(size) {
  const folder = mkdtempSync(join(temp, "large-")), path = join(folder, "large.log");
  const made = spawnSync(join(source, "tools/gen-trace"), ["--size", size, "-o", path]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  return path;
}

/* The most memory that the processes of the browser had, in MB, of each what is its own. */
function memoryOf(pids, before) {
  return pids.reduce((sum, pid) => {
    const text = existsSync(`/proc/${pid}/smaps_rollup`) ? readFileSync(`/proc/${pid}/smaps_rollup`, "utf8") : "";
    return sum + Number(/^Pss_Anon:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
  }, 0) - before;
}

async function renderers() {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
}

/* Seconds of a processor that the workers of these processes have used: the time it takes where nothing else runs. */
function workSeconds(pids) {
  let ticks = 0;
  for (const pid of pids)
    for (const thread of existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : []) {
      try {
        const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8"));
        const fields = rest.split(" ");
        if (name.startsWith("DedicatedWorker")) ticks += Number(fields[11]) + Number(fields[12]);
      } catch { /* it ended meanwhile */ }
    }
  return ticks / 100;
}

async function timed(size, seconds, tries) {
  const path = generate(size);
  let best = Infinity, least = Infinity, most = 0;
  for (let i = 0; i < tries; i++) {
    const tab = await open(), pids = await renderers(), before = memoryOf(pids, 0);
    let work = 0;
    await tab.waitForTimeout(1000); // nobody chooses a file before the page is there
    const start = performance.now();
    const watch = setInterval(() => {
      most = Math.max(most, memoryOf(pids, before));
      work = Math.max(work, workSeconds(pids));
    }, 50);
    await choose(tab, path);
    best = Math.min(best, (performance.now() - start) / 1000);
    least = Math.min(least, work);
    clearInterval(watch);
    await tab.context().close();
  }
  console.log(`# ${size}: ${best.toFixed(2)} s, ${least.toFixed(2)} s of a processor, the best of ${tries}; ${most.toFixed(0)} MB at most`);
  point(`${size} take less than ${seconds} s of a processor`, least > 0 && least < seconds, least);
  return { path, most };
}

async function large() {
  await timed("20MB", 1, 5);
  const { path, most } = await timed("200MB", 6, 3);
  point("200 MB take less than 400 MB of memory", most < 400, most);
  const tab = await open(), seen = [];
  await tab.exposeFunction("seen", (value) => seen.push(value));
  await tab.evaluate(() => new MutationObserver(() => window.seen(document.getElementById("progress").value))
    .observe(document.getElementById("progress"), { attributes: true }));
  await tab.setInputFiles("#files", path);
  while (await tab.evaluate(() => document.getElementById("progress").value) < 0.2) await tab.waitForTimeout(20);
  const workers = tab.workers().length;
  await tab.getByRole("button", { name: "Cancel" }).click();
  await tab.locator("#start").waitFor();
  for (let i = 0; i < 300 && tab.workers().length; i++) await tab.waitForTimeout(100);
  point("progress grows", seen.length > 2 && seen.every((v, i) => i === 0 || v >= seen[i - 1]), seen);
  equal("a worker was at it, and none is after Cancel", "1 0", `${workers} ${tab.workers().length}`);
  await sameAsNative(tab, "200 MB after a cancel", alone(path), choose);
  await leave(tab, "with 200 MB");
  rmSync(path);
  const whole = await timed("1GB", 40, 1);
  point("1 GB take less than 700 MB of memory", whole.most < 700, whole.most);
}

const size = statSync(pageGiven).size;
point("the page is below 2.5 MB", size < 2.5e6, size);
const parts = [traces, files, paste, redacted, compared, wrongFiles, memory, hostile, everybody, keyboard];
const named = flags.filter((flag) => !flag.startsWith("--"));
for (const part of flags.includes("--large") ? [...parts, large] : parts)
  if (named.length === 0 || named.includes(part.name)) await part();
await browser.close();
end();
