"use strict";
/*
 * page: takes files from the user, runs the program on them in a Worker, and shows the report in a frame of its own.
 * What the trace holds is never put into this document as markup: only as text, or as the report in the frame, which
 * has an origin of its own and a policy that lets nothing run but the report's script.
 */
(() => {
  const OUTPUT = "pt2trace_out", PASTED = "pasted.txt", OUT_OF_MEMORY = /out of memory/;
  const MB = 1e6;
  const byId = (id) => document.getElementById(id);
  const state = { given: null, before: null, worker: null, result: null, address: null };

  /* --- the program --- */

  async function unpack() {
    const packed = Uint8Array.from(atob(byId("program").textContent.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  }

  /* Compiled while the user looks for a file. */
  const program = unpack();
  const workerSource = URL.createObjectURL(new Blob([byId("worker-source").textContent], { type: "text/javascript" }));
  program.catch((error) => finish({ status: 3, out: "", files: {},
    complaints: `pt2trace: this browser cannot run it (${error}). A newer Chromium, Firefox or Safari can.\n` }));

  function stop() {
    state.worker?.terminate();
    state.worker = null;
  }

  /* Resolves with what came of it; never, when it is stopped. */
  async function run(args, files, title) {
    const all = files.reduce((sum, { file }) => sum + file.size, 0);
    stop();
    show("work");
    byId("work-title").textContent = title;
    byId("work-title").focus();
    showProgress(0, all);
    const worker = state.worker = new Worker(workerSource);
    const compiled = await program;
    return new Promise((resolve) => {
      worker.onmessage = ({ data }) => {
        if (data.done) showProgress(data.done, all);
        if (!data.result) return;
        stop();
        resolve(data.result);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        stop();
        resolve({ status: 3, out: "", complaints: "pt2trace: out of memory, or: " + event.message + "\n", files: {} });
      };
      worker.postMessage({ program: compiled, args, files, output: outputOf(files) });
    });
  }

  function showProgress(done, all) {
    const mb = (n) => (n / MB).toFixed(n < 10 * MB ? 1 : 0);
    byId("progress").value = all ? Math.min(1, done / all) : 0;
    byId("progress-text").textContent =
      done >= all && all ? "Everything was read; writing the report." : `${mb(done)} of ${mb(all)} MB`;
  }

  /* --- what the user gives --- */

  const topOf = (path) => path.split("/")[0];
  const topsOf = (files) => [...new Set(files.map(({ path }) => topOf(path)))];

  /* A directory of the user's may have the name. */
  function outputOf(files) {
    let name = OUTPUT;
    while (topsOf(files).includes(name)) name += "_new";
    return name;
  }

  /* What stands behind the options: paths that begin with a dash are none. */
  const pathsOf = (files) => [...(topsOf(files).some((name) => name.startsWith("-")) ? ["--"] : []), ...topsOf(files)];

  const optionsFor = (files) => [...(outputOf(files) === OUTPUT ? [] : ["-o", outputOf(files)]),
    ...(byId("redact").checked ? ["--redact"] : [])];

  async function entriesOf(directory) {
    const reader = directory.createReader(), all = [];
    for (;;) { /* it gives some at a time */
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return all;
      all.push(...some);
    }
  }

  async function filesBelowEntry(entry, path, into) {
    if (entry.isDirectory)
      for (const child of await entriesOf(entry)) await filesBelowEntry(child, path + "/" + child.name, into);
    else
      into.push({ path, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) });
  }

  async function filesBelowHandle(handle, path, into) {
    if (handle.kind === "directory")
      for await (const child of handle.values()) await filesBelowHandle(child, path + "/" + child.name, into);
    else
      into.push({ path, file: await handle.getFile() });
  }

  /*
   * Chromium has handles, and refuses entries to a page that is a file itself; others have entries alone. The list of
   * what was dropped is empty when this first waits, so all of it is taken before.
   */
  async function filesDropped(transfer) {
    const dropped = [...transfer.items].filter((item) => item.kind === "file").map((item) =>
      ({ entry: item.webkitGetAsEntry?.(), handle: item.getAsFileSystemHandle?.(), file: item.getAsFile() }));
    const files = [];
    for (const { entry, handle, file } of dropped) {
      if (!entry?.isDirectory && file) files.push({ path: file.name, file });
      else if (handle) await filesBelowHandle(await handle, entry.name, files);
      else if (entry) await filesBelowEntry(entry, entry.name, files);
    }
    return files;
  }

  const filesChosen = (input) =>
    [...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

  const filePasted = (text) => [{ path: PASTED, file: new File([text], PASTED, { lastModified: 0 }) }];

  /* --- what is done with it --- */

  async function take(files) {
    if (files.length === 0) {
      finish({ status: 4, out: "", files: {}, complaints: "pt2trace: there is no file in what was given\n" });
      return;
    }
    state.given = files;
    await (state.before ? compare() : report());
  }

  async function report() {
    const files = state.given;
    finish(await run(["pt2trace", ...optionsFor(files), ...pathsOf(files)], files, "Reading"));
  }

  /* Each side is a directory, or the one thing that is in it. */
  function side(name, files) {
    const tops = topsOf(files);
    return { path: tops.length === 1 ? name + "/" + tops[0] : name,
             files: files.map(({ path, file }) => ({ path: name + "/" + path, file })) };
  }

  async function compare() {
    const before = side("before", state.before), after = side("after", state.given);
    const result = await run(["pt2trace", "diff", before.path, after.path],
      [...before.files, ...after.files], "Comparing");
    finish({ ...result, difference: result.out });
  }

  async function issue() {
    const shown = state.result, redact = byId("redact").checked ? ["--redact"] : [];
    const result = await run(["pt2trace", "export", "--format", "markdown", ...redact, ...pathsOf(state.given)],
      state.given, "Writing the text for an issue");
    show("result");
    byId("save-issue").focus();
    if (result.status === 0) save("pt2trace-issue.md", new Blob([result.out], { type: "text/markdown" }));
    else complain({ ...shown, complaints: result.complaints });
  }

  /* --- what came of it --- */

  function show(name) {
    for (const id of ["start", "work", "result"]) byId(id).hidden = id !== name;
    document.body.classList.toggle("reading", name === "result" && state.result?.page !== undefined);
  }

  function complain({ complaints }) {
    byId("complaints").textContent = complaints;
    byId("complaints").hidden = !complaints;
    byId("advice").hidden = !OUT_OF_MEMORY.test(complaints);
    byId("advice").textContent =
      "A tab has 4 GB at most, and less where the computer has less. The program, installed, " +
      "has what the computer has; and of a job with many ranks, the files of a few ranks are usually enough.";
  }

  function finish(result) {
    const page = result.files["index.html"], difference = result.difference;
    state.result = { ...result, page };
    URL.revokeObjectURL(state.address);
    state.address = page ? URL.createObjectURL(new Blob([page], { type: "text/html" })) : null;
    complain(result);
    byId("report").hidden = !page;
    if (page) byId("report").src = state.address;
    byId("difference").hidden = !difference;
    byId("difference").textContent = difference ?? "";
    byId("title").textContent = page ? topsOf(state.given).join(", ")
      : difference ? "What differs" : "It could not be read";
    for (const [id, wanted] of [["save-report", page], ["save-json", page], ["save-issue", page], ["redaction", page],
      ["compare", page], ["save-difference", difference]]) byId(id).hidden = !wanted;
    show("result");
    byId("title").focus();
  }

  function save(name, blob) {
    const address = URL.createObjectURL(blob), link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  }

  function begin(before = null) {
    stop();
    state.before = before;
    byId("comparing").hidden = !before;
    byId("before").textContent = before ? topsOf(before).join(", ") : "";
    byId("report").removeAttribute("src");
    byId("title").textContent = before ? "Compare with what?" : "What did torch.compile do?";
    state.result = null;
    show("start");
    byId("title").focus();
  }

  /* --- controls --- */

  const on = (id, event, f) => byId(id).addEventListener(event, f);

  on("choose-files", "click", () => byId("files").click());
  on("choose-directory", "click", () => byId("directory").click());
  for (const id of ["files", "directory"])
    on(id, "change", async () => {
      const files = filesChosen(byId(id));
      byId(id).value = ""; /* so that the same may be chosen again */
      if (files.length) await take(files);
    });
  on("paste", "submit", async (event) => {
    event.preventDefault();
    await take(filePasted(byId("text").value));
  });
  on("cancel", "click", () => begin(state.before));
  on("again", "click", () => begin());
  on("do-not-compare", "click", () => begin());
  on("compare", "click", () => begin(state.given));
  on("redact", "change", report);
  on("save-report", "click", () => save("pt2trace-report.html", state.result.page));
  on("save-json", "click", () => save("report.json", state.result.files["report.json"]));
  const differenceFile = () => new Blob([state.result.difference], { type: "text/plain" });
  on("save-difference", "click", () => save("pt2trace-diff.txt", differenceFile()));
  on("save-issue", "click", issue);

  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("over");
  });
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    document.body.classList.remove("over");
    stop();
    try {
      await take(await filesDropped(event.dataTransfer));
    } catch (error) {
      const complaints = `pt2trace: what was dropped cannot be read: ${error.message} ` +
        "\"Choose files\" and \"Choose a directory\" read it.\n";
      finish({ status: 3, out: "", files: {}, complaints });
    }
  });
})();
