/*
 * Two FX graphs, node by node: which are new, gone, call something else, or take something else. A node that only has
 * another name because others came before it is the same.
 */
const graphDiff = (() => {
  const NODES_MAX = 20000;

  /* Pieces of a text that commas or a string's end cut at depth 0. */
  function parameters(text) {
    const found = [];
    let depth = 0, quoted = false, from = 0;
    for (let i = 0; i <= text.length; i++) {
      const c = text[i];
      if (c === '"') quoted = !quoted;
      else if (!quoted && "([{".includes(c ?? "?")) depth++;
      else if (!quoted && ")]}".includes(c ?? "?")) depth--;
      if (i === text.length || (c === "," && !quoted && depth === 0)) {
        found.push(text.slice(from, i).trim());
        from = i + 1;
      }
    }
    return found.filter((one) => one && one !== "self");
  }

  /* What a node calls: the function, the method, the operator; of an attribute that it is one. */
  function targetOf(shape) {
    const called = /^(\$\.)?([\w.]+)\(/.exec(shape);
    if (called) return (called[1] ? "." : "") + called[2];
    if (shape.startsWith("self.")) return "attribute";
    if (/^\$\[/.test(shape)) return "item";
    return shape.replace(/\$|\b[\w.]+\b/g, "").trim() || "value";
  }

  /* One node: `shape` is its expression with $ for each node that it takes, those are `inputs`. */
  function nodeOf(scope, line, name, type, expression) {
    const inputs = [];
    const inputOr = (word, other) => {
      if (!scope.has(word)) return other;
      inputs.push(scope.get(word));
      return "$";
    };
    // Graphs of parts are numbered as nodes are: "wrap_body_1 = self.wrap_body_1", then 'wrap_body_1' as an argument.
    const part = /^self\.(\w+_\d+)$/.exec(expression)?.[1];
    const shape = part === name ? "self." + name.replace(/_\d+$/, "") : part ? "self." + inputOr(part, part)
      : expression.replace(/'(\w+_\d+)'|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\w.])[A-Za-z_]\w*/g,
        (word, quoted) => inputOr(quoted ?? word, word));
    return { name, type, shape, inputs, line, target: targetOf(shape), text: name + " = " + expression };
  }

  const placeholder = (line, name, type) =>
    ({ name, type, shape: "", inputs: [], line, target: "input", text: name + (type ? ": " + type : "") });

  /* The nodes of a text in order; names are looked up in the graph that they stand in. */
  function nodesOf(text) {
    const nodes = [];
    let scope = new Map(), signature = null;
    const add = (node) => {
      if (node.name) scope.set(node.name, nodes.length);
      nodes.push(node);
    };
    const addParameters = (line, words) => {
      for (const one of parameters(words)) {
        const [, name, type] = /^(\w+)\s*(?::\s*"?(.*?)"?)?$/.exec(one) ?? [];
        if (name) add(placeholder(line, name, type ?? ""));
      }
    };
    text.split("\n").forEach((raw, i) => {
      const line = raw.trim();
      if (nodes.length >= NODES_MAX || !line || line.startsWith("#")) return;
      const head = /^def forward\(\s*(.*)$/.exec(line);
      if (head) {
        scope = new Map();
        signature = head[1];
      } else if (signature !== null) {
        signature = line;
      }
      if (signature !== null) {
        const ends = /\)\s*(?:->.*)?:\s*(?:#.*)?$/.exec(signature);
        addParameters(i, (ends ? signature.slice(0, ends.index) : signature).replace(/,?\s*# .*$/, ""));
        signature = ends ? null : "";
        return;
      }
      const [, name, type, rest] = /^(\w+)(?:: "([^"]*)")? = (.*)$/.exec(line) ?? [];
      const back = /^return (.*)$/.exec(line), declared = /^(\w+): "([^"]*)"(?:\s*#.*)?$/.exec(line);
      if (name) add(nodeOf(scope, i, name, type ?? "", rest.replace(/;(?:\s+\w+ =)+ None$/, "")));
      else if (declared) add(placeholder(i, declared[1], declared[2]));
      else if (back) add({ ...nodeOf(scope, i, "", "", back[1]), target: "return", text: line });
    });
    return nodes;
  }

  /* Pairs of equal nodes: by what they call and return, between those by what they call, then what is left by where it
     stands: the same name, or the same inputs. */
  function matched(a, b) {
    const toB = new Int32Array(a.length).fill(-1), toA = new Int32Array(b.length).fill(-1);
    const pair = (i, k) => { toB[i] = k; toA[k] = i; };
    const gaps = (run) => {
      let i0 = 0, k0 = 0;
      for (let i = 0; i <= a.length; i++) {
        if (i < a.length && toB[i] < 0) continue;
        const k = i < a.length ? toB[i] : b.length;
        if (i > i0 && k > k0) run(i0, i, k0, k);
        [i0, k0] = [i + 1, k + 1];
      }
    };
    const byKey = (key) => gaps((i0, i1, k0, k1) => {
      const [x, y] = [a.slice(i0, i1).map(key), b.slice(k0, k1).map(key)];
      for (const [i, k] of diff.equalPairs(x, y)) pair(i0 + i, k0 + k);
    });
    const special = (node) => node.target === "input" || node.target === "return";
    const keysOf = (node) => ["n" + node.name, "i" + node.inputs.join()];
    const name = (node) => (node.target === "input" ? node.name : "");
    byKey((node) => node.target + "\n" + node.type + "\n" + name(node));
    byKey((node) => node.target + "\n" + name(node));
    byKey((node) => node.target);
    gaps((i0, i1, k0, k1) => {
      const known = new Map();
      for (let i = i1 - 1; i >= i0; i--) if (!special(a[i])) for (const key of keysOf(a[i])) known.set(key, i);
      for (let k = k0; k < k1; k++) {
        const inputs = b[k].inputs.map((at) => toA[at]).join();
        const at = [known.get("n" + b[k].name), known.get("i" + inputs)].find((i) => i !== undefined && toB[i] < 0);
        if (at !== undefined && !special(b[k])) pair(at, k);
      }
    });
    return { toA, toB };
  }

  /* How two nodes that belong together differ; empty when they do not. */
  function change(a, b, toA) {
    if (a.target !== b.target) return "calls something else";
    if (a.inputs.join() !== b.inputs.map((at) => toA[at]).join()) return "takes other nodes";
    if (a.shape !== b.shape) return "has other arguments";
    return a.type !== b.type ? "returns something else" : "";
  }

  /* {same, renamed, changes: [{kind, a, b}]} in the order of the second graph, what is gone where it stood; null where
     one of the texts is no graph. */
  function compare(before, after) {
    const a = nodesOf(before), b = nodesOf(after), changes = [];
    if (!a.length || !b.length) return null;
    const { toA, toB } = matched(a, b);
    let same = 0, renamed = 0, gone = 0;
    const addGone = (end) => {
      for (; gone < end; gone++) if (toB[gone] < 0) changes.push({ kind: "is gone", a: a[gone] });
    };
    b.forEach((node, k) => {
      const old = a[toA[k]];
      if (old) addGone(toA[k]);
      const kind = old ? change(old, node, toA) : "is new";
      if (kind) changes.push({ kind, a: old, b: node });
      else same++;
      if (old && !kind && old.name !== node.name) renamed++;
    });
    addGone(a.length);
    return { same, renamed, changes };
  }

  return { compare };
})();
