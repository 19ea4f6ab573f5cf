/*
 * Compares graphs as the page does, for tests that ask whether `pt2trace diff` says the same.
 *
 *   node graphs.mjs TEMPLATES < PAIRS
 *
 * PAIRS is JSON: [[text, text], ...]. Prints for each {"same": N, "gone": [names], "added": [names]}: names of nodes, of
 * those that changed on both sides; null where a text is no graph.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const scripts = ["diff.js", "graph_diff.js"].map((name) => readFileSync(join(process.argv[2], name), "utf8"));
// What the scripts ask of a document when they are loaded.
const page = { dom: {}, document: { addEventListener() {} } };
vm.runInNewContext(scripts.join("\n") + "\nglobalThis.compare = graphDiff.compare;", page);

// Inputs stand in the signature, which is no line of its own for `pt2trace diff`.
const names = (changes, side) =>
  changes.map((change) => change[side]).filter((node) => node && node.target !== "input").map((node) => node.name);
const answers = JSON.parse(readFileSync(0, "utf8")).map(([before, after]) => {
  const found = page.compare(before, after);
  return found && { same: found.same, gone: names(found.changes, "a"), added: names(found.changes, "b") };
});
console.log(JSON.stringify(answers));
