/*
 * Runs the program of pt2trace.html, once per command that stands on standard input, one JSON object a line:
 *
 *   {"args": [...], "root": "/where/the/paths/are", "output": "/directory/for/what/it/writes", "stdout": FILE, "stderr": FILE}
 *
 * and prints the exit status of each. --shim: with the system of web/wasi.js, else with node's own WASI.
 *
 *   node wasi_run.mjs PROGRAM.wasm SOURCE [--shim]
 */
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WASI } from "node:wasi";

const [program, source, ...flags] = process.argv.slice(2);
const compiled = new WebAssembly.Module(readFileSync(program));
const OUTPUT = "pt2trace_out";
const env = { TMPDIR: "/tmp", LANG: "C.UTF-8" };

/* --- node's --- */

function runInNode({ args, root, output }, stdout, stderr) {
  const temp = mkdtempSync(join(tmpdir(), "pt2trace-wasi-"));
  const system = new WASI({ version: "preview1", args, env, returnOnExit: true, stdout, stderr,
    preopens: { "/": root, "/tmp": temp, ["/" + OUTPUT]: output } });
  try {
    return system.start(new WebAssembly.Instance(compiled, system.getImportObject()));
  } finally {
    rmSync(temp, { recursive: true, force: true });
  }
}

/* --- ours --- */

const wasi = new Function(readFileSync(join(source, "web/wasi.js"), "utf8") + "; return wasi;")();

function giveAll(system, root, path, opened) {
  for (const entry of readdirSync(join(root, path))) {
    const here = path ? path + "/" + entry : entry, full = join(root, here), info = statSync(full, { throwIfNoEntry: false });
    if (info?.isDirectory()) giveAll(system, root, here, opened);
    if (!info?.isFile()) continue;
    system.give(here, info.size, info.mtimeMs, (from, to) => {
      const bytes = new Uint8Array(to - from), fd = openSync(full);
      const n = readSync(fd, bytes, 0, bytes.length, from);
      closeSync(fd);
      return bytes.subarray(0, n);
    });
  }
}

function save(directory, path) {
  mkdirSync(path, { recursive: true });
  for (const [name, node] of directory?.entries ?? [])
    if (node.entries) save(node, join(path, name));
    else writeFileSync(join(path, name), Buffer.concat(node.parts()));
}

function runInShim({ args, root, output }, stdout, stderr) {
  const system = new wasi.System({ args, env, stdout: (bytes) => writeSync(stdout, bytes), stderr: (bytes) => writeSync(stderr, bytes) });
  giveAll(system, root, "");
  system.directory("tmp");
  const status = system.run(new WebAssembly.Instance(compiled, system.imports()));
  save(system.find(OUTPUT), output);
  return status;
}

const run = flags.includes("--shim") ? runInShim : runInNode;
for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const command = JSON.parse(line), stdout = openSync(command.stdout, "w"), stderr = openSync(command.stderr, "w");
  let status;
  try {
    status = run(command, stdout, stderr);
  } catch (error) {
    status = String(error);
  }
  closeSync(stdout);
  closeSync(stderr);
  console.log(JSON.stringify(status));
}
