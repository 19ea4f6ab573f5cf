/* The colors of code, a line at a time: any line can be colored without those before it. */
const colors = (() => {
  const WORDS = "and as assert async auto await break case class const constexpr continue def del do elif else " +
    "except extern false False finally float for from global if import in int inline is lambda None nonlocal not or " +
    "pass raise return static struct template true True try typename using void while with yield";
  /* A string that does not end on its line is colored to the end of it: a scanner that gave up would begin again. */
  const STRING = "(\"{3}|'{3}|\"(?:[^\"\\\\]|\\\\.)*\"?|'(?:[^'\\\\]|\\\\.)*'?)";
  const WORD = "|\\b(" + WORDS.split(" ").join("|") + ")\\b";
  const NUMBER = "|\\b(\\d[\\w.]*)";
  const CALL = "|(@?\\b(?:tl|torch|triton|triton_helpers|libdevice|extern_kernels|async_compile|aten|prims|at|std)" +
    "(?:\\.|::)[\\w.:]*\\w)";
  const KINDS = ["comment", "string", "keyword", "literal", "call"];
  const SYNTAX = {
    python: new RegExp("(#.*)|" + STRING + WORD + NUMBER + CALL, "g"),
    cpp: new RegExp("(//.*|/\\*.*?(?:\\*/|$)|#.*)|" + STRING + WORD + NUMBER + CALL, "g"),
    json: new RegExp("()" + STRING + WORD + NUMBER, "g"),
  };
  SYNTAX.fx = SYNTAX.python;
  const LINE_MAX = 4000; // characters of a line that are colored

  /* [[text, kind or ""]] */
  function pieces(line, language) {
    const syntax = SYNTAX[language], head = line.slice(0, LINE_MAX), found = [];
    let at = 0;
    for (const match of syntax ? head.matchAll(syntax) : []) {
      const kind = KINDS[match.slice(1).findIndex((group) => group)];
      if (!kind) continue;
      if (match.index > at) found.push([head.slice(at, match.index), ""]);
      found.push([match[0], kind]);
      at = match.index + match[0].length;
    }
    if (at < line.length) found.push([line.slice(at), ""]);
    return found;
  }

  const COMPILED = /^(?:cpp|cuda|rocm|sycl|halide|metal|cutlass|ck)/;

  /* Kernels stand in their wrapper as strings. Python's need nothing: what is inside three quotes is code, too. Of
     those in C++ [[first line, line of the closing quotes]], counted from 0. */
  function foreignRegions(lines) {
    const regions = [];
    let begin = -1, quotes = "";
    lines.forEach((line, i) => {
      if (begin >= 0) {
        if (!line.includes(quotes)) return;
        regions.push([begin, i]);
        begin = -1;
        return;
      }
      const call = line.indexOf("async_compile."), at = call < 0 ? -1 : line.search(/'''|"""/);
      if (at < call || at < 0 || !COMPILED.test(line.slice(call + 14, call + 22))) return;
      quotes = line.slice(at, at + 3);
      if (!line.includes(quotes, at + 3)) begin = i + 1;
    });
    return regions;
  }

  /* What a line is written in, of a text in a language. */
  function languages(lines, language) {
    const regions = language === "python" ? foreignRegions(lines) : [];
    return (i) => {
      let low = 0, high = regions.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (regions[middle][1] <= i) low = middle + 1;
        else high = middle;
      }
      return low < regions.length && regions[low][0] <= i ? "cpp" : language;
    };
  }

  /* The place that a comment of a graph names, "# File: /a/b.py:12 in f, code: ...": where it begins and ends in the
     line, file and line. */
  function place(line) {
    const mark = line.indexOf("# File: ");
    if (mark < 0 || line.slice(0, mark).trim()) return null;
    const begin = mark + 8, end = [" in ", ", code:"].map((word) => line.indexOf(word, begin)).find((at) => at >= 0);
    const name = line.slice(begin, end), colon = name.lastIndexOf(":");
    if (colon <= 0 || !/^\d+$/.test(name.slice(colon + 1))) return null;
    const code = line.indexOf(", code:", begin);
    return { begin, end: begin + name.length, file: name.slice(0, colon), line: +name.slice(colon + 1),
      code: code < 0 ? "" : line.slice(code + 7).trim() };
  }

  return { pieces, languages, place };
})();
