/*
 * worker: one run of the program on files of the user's. It gets the compiled program, the words of the command and the
 * files; it reports how far it has read, and in the end what was printed and which files were written. Who wants it to
 * stop terminates it.
 */
const TEMPORARY = ".pt2trace-tmp", REPORT_EVERY_MS = 100;

/* What was written to a stream, as one text. */
class Text {
  decoder = new TextDecoder();
  text = "";

  add(bytes) {
    this.text += this.decoder.decode(bytes.slice(), { stream: true });
  }
}

function giver() {
  const reader = new FileReaderSync();
  return ({ path, file }, system) => system.give(path, file.size, file.lastModified, (from, to) =>
    new Uint8Array(reader.readAsArrayBuffer(file.slice(from, to))));
}

/* All files below a directory, by their paths. */
function written(directory, path, into) {
  for (const [name, node] of directory?.entries ?? []) {
    if (node.entries) written(node, path + name + "/", into);
    else into[path + name] = new Blob(node.parts());
  }
  return into;
}

function run({ program, args, files, output }) {
  const out = new Text(), complaints = new Text();
  let done = 0, reported = 0;
  const system = new wasi.System({
    args, env: { TMPDIR: "/" + TEMPORARY, LANG: "C.UTF-8" },
    stdout: (bytes) => out.add(bytes), stderr: (bytes) => complaints.add(bytes),
    onread(bytes) {
      done += bytes;
      if (performance.now() - reported < REPORT_EVERY_MS) return;
      reported = performance.now();
      postMessage({ done });
    },
  });
  const give = giver();
  for (const file of files) give(file, system);
  system.directory(TEMPORARY);
  const instance = new WebAssembly.Instance(program, system.imports());
  const status = system.run(instance);
  return { status, out: out.text, complaints: complaints.text, files: written(system.find(output), "", {}),
           memory: instance.exports.memory.buffer.byteLength };
}

/* The program words what goes wrong with files. This is for what ends it; what it writes lies outside of its memory. */
function wordsFor(error) {
  if (error instanceof RangeError && /alloc|memory|invalid array length/i.test(error.message))
    return "pt2trace: out of memory: pass fewer files at once, such as those of one rank\n";
  return `pt2trace: it failed, which is a defect of pt2trace: ${error}\n`;
}

onmessage = ({ data }) => {
  let result;
  try {
    result = run(data);
  } catch (error) {
    result = { status: 3, out: "", complaints: wordsFor(error), files: {}, memory: 0 };
  }
  postMessage({ result });
};
