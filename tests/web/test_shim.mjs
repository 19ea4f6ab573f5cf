/*
 * web/wasi.js alone, call by call, as wasi-libc calls it. Prints TAP.
 *
 *   node test_shim.mjs SOURCE
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { end, equal, point } from "../browser/tap.mjs";

const wasi = new Function(readFileSync(join(process.argv[2], "web/wasi.js"), "utf8") + "; return wasi;")();

const BADF = 8, EXIST = 20, INVAL = 28, IO = 29, ISDIR = 31, NOENT = 44, NOTDIR = 54, NOTEMPTY = 55, ROFS = 69;
const ROOT = 3, CREATE = 1, DIRECTORY = 2, EXCLUSIVE = 4, TRUNCATE = 8, APPEND = 1, READ = 2n, WRITE = 64n;
/* Where things lie in the memory of the program that is not there. */
const PATH = 1024, OTHER_PATH = 2048, LIST = 4096, RESULT = 8192, DATA = 16384, PIECE = 1 << 18;

class Program {
  memory = new WebAssembly.Memory({ initial: 64 });
  out = "";
  read = 0;

  constructor() {
    this.system = new wasi.System({ args: ["pt2trace", "ünï"], env: { A: "b" }, stderr: () => {},
      stdout: (bytes) => { this.out += new TextDecoder().decode(bytes); }, onread: (n) => { this.read += n; } });
    this.system.memory = this.memory;
    this.calls = this.system.imports().wasi_snapshot_preview1;
  }

  get view() {
    return new DataView(this.memory.buffer);
  }

  text(at, text) {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(this.memory.buffer, at).set(bytes);
    return bytes.length;
  }

  open(path, flags = 0, rights = READ, descriptorFlags = 0) {
    const errno = this.calls.path_open(ROOT, 0, PATH, this.text(PATH, path), flags, rights, rights, descriptorFlags, RESULT);
    return errno ? -errno : this.view.getUint32(RESULT, true);
  }

  path(call, path, ...more) {
    return this.calls[call](ROOT, ...(call === "path_filestat_get" ? [0] : []), PATH, this.text(PATH, path), ...more);
  }

  list(at, n) {
    this.view.setUint32(LIST, at, true);
    this.view.setUint32(LIST + 4, n, true);
    return [LIST, 1];
  }

  write(fd, text) {
    return this.calls.fd_write(fd, ...this.list(DATA, this.text(DATA, text)), RESULT);
  }

  bytes(fd, n, offset = null) {
    const errno = offset === null ? this.calls.fd_read(fd, ...this.list(DATA, n), RESULT)
      : this.calls.fd_pread(fd, ...this.list(DATA, n), BigInt(offset), RESULT);
    return errno ? -errno : new Uint8Array(this.memory.buffer, DATA, this.view.getUint32(RESULT, true)).slice();
  }

  read_text(fd, n, offset) {
    const bytes = this.bytes(fd, n, offset);
    return typeof bytes === "number" ? bytes : new TextDecoder().decode(bytes);
  }

  seek(fd, offset, whence) {
    const errno = this.calls.fd_seek(fd, BigInt(offset), whence, RESULT);
    return errno ? -errno : Number(this.view.getBigUint64(RESULT, true));
  }

  size(path) {
    const errno = this.path("path_filestat_get", path, RESULT);
    return errno ? -errno : Number(this.view.getBigUint64(RESULT + 32, true));
  }
}

function words() {
  const p = new Program();
  p.calls.args_sizes_get(RESULT, RESULT + 4);
  equal("the number of words", 2, p.view.getUint32(RESULT, true));
  equal("their bytes", 9 + 6, p.view.getUint32(RESULT + 4, true));
  p.calls.args_get(RESULT, DATA);
  equal("the words", "pt2trace\0ünï\0", new TextDecoder().decode(new Uint8Array(p.memory.buffer, p.view.getUint32(RESULT, true), 15)));
  p.write(1, "to the terminal");
  equal("standard output", "to the terminal", p.out);
  equal("standard input is empty", "", p.read_text(0, 10));
}

function own() {
  const p = new Program();
  equal("a file that is not there", -NOENT, p.open("a"));
  const fd = p.open("a", CREATE | EXCLUSIVE, READ | WRITE);
  point("a file is made", fd > ROOT, fd);
  equal("only once", -EXIST, p.open("a", CREATE | EXCLUSIVE, WRITE));
  p.write(fd, "hello ");
  p.write(fd, "world");
  equal("its size", 11, p.size("a"));
  equal("read at an offset", "world", p.read_text(fd, 100, 6));
  equal("to its beginning", 0, p.seek(fd, 0, 0));
  equal("read", "hello", p.read_text(fd, 5));
  equal("where it is", 5, p.seek(fd, 0, 1));
  equal("to its end", 11, p.seek(fd, 0, 2));
  equal("nothing is behind it", "", p.read_text(fd, 5));
  equal("before its beginning", -INVAL, p.seek(fd, -1, 0));
  p.calls.fd_filestat_set_size(fd, 3n);
  p.calls.fd_filestat_set_size(fd, 6n);
  equal("cut, and grown with zeros", "hel\0\0\0", p.read_text(fd, 100, 0));
  const appending = p.open("a", 0, WRITE, APPEND);
  p.write(appending, "end");
  equal("appended", "hel\0\0\0end", p.read_text(fd, 100, 0));
  p.open("a", TRUNCATE, WRITE);
  equal("emptied", 0, p.size("a"));
  equal("closed", 0, p.calls.fd_close(fd));
  equal("a closed one", BADF, p.calls.fd_close(fd));
  equal("its number is used again", fd, p.open("a"));
}

/* Over the ends of pieces. */
function long() {
  const p = new Program(), fd = p.open("a", CREATE, READ | WRITE);
  const n = PIECE + 1000;
  for (let i = 0; i < n; i++) new Uint8Array(p.memory.buffer)[DATA + i] = i * 7 % 251;
  p.calls.fd_pwrite(fd, ...p.list(DATA, n), BigInt(PIECE - 500), RESULT);
  equal("a hole and what is behind it", 2 * PIECE + 500, p.size("a"));
  const back = p.bytes(fd, n, PIECE - 500);
  point("what was written over an end is read over it", back.length === n && back.every((b, i) => b === i * 7 % 251));
  const parts = p.system.find("a").parts();
  equal("the parts of the file", 2 * PIECE + 500, parts.reduce((sum, part) => sum + part.length, 0));
}

function directories() {
  const p = new Program();
  equal("made", 0, p.path("path_create_directory", "d"));
  equal("not twice", EXIST, p.path("path_create_directory", "d"));
  equal("nor below what is not there", NOENT, p.path("path_create_directory", "x/y"));
  p.open("d/a", CREATE, WRITE);
  equal("below a file", -NOTDIR, p.open("d/a/b"));
  equal("a path with dots", 0, p.size("./d/../d//a"));
  equal("a path that leads out stays in", 0, p.size("../../d/a"));
  equal("a file as a directory", -NOTDIR, p.open("d/a", DIRECTORY));
  equal("a directory to write to", -ISDIR, p.open("d", 0, WRITE));
  equal("one that is not empty is not removed", NOTEMPTY, p.path("path_remove_directory", "d"));
  equal("nor as a file", ISDIR, p.path("path_unlink_file", "d"));
  equal("renamed", 0, p.path("path_rename", "d/a", ROOT, OTHER_PATH, p.text(OTHER_PATH, "b")));
  equal("it has the new name", 0, p.size("b"));
  equal("and not the old one", -NOENT, p.size("d/a"));
  equal("removed", 0, p.path("path_remove_directory", "d"));
  equal("unlinked", 0, p.path("path_unlink_file", "b"));
  equal("nothing is a link", INVAL, p.path("path_readlink", ".", DATA, 10, RESULT));
}

/* In small steps, as wasi-libc asks where a directory is large. */
function listing() {
  const p = new Program(), names = [];
  for (let i = 0; i < 50; i++) p.open("file" + i, CREATE, WRITE);
  for (let cookie = 0n, used = 100; used === 100;) {
    p.calls.fd_readdir(ROOT, DATA, 100, cookie, RESULT);
    used = p.view.getUint32(RESULT, true);
    for (let at = 0; at + 24 <= used;) {
      const n = p.view.getUint32(DATA + at + 16, true);
      if (at + 24 + n > used) break;
      names.push(new TextDecoder().decode(new Uint8Array(p.memory.buffer, DATA + at + 24, n)));
      cookie = p.view.getBigUint64(DATA + at, true);
      at += 24 + n;
    }
  }
  equal("all names, each once, with those of the directory", [".", "..", ...Array.from({ length: 50 }, (_, i) => "file" + i)].join(), names.join());
}

function given() {
  const p = new Program(), bytes = new Uint8Array(3 * PIECE + 7).map((_, i) => i % 253);
  let reads = 0;
  p.system.give("trace/a.log", bytes.length, 1500, (from, to) => { reads++; return bytes.subarray(from, to); });
  p.system.give("../../etc/x", 1, 0, () => { throw new Error("it is gone"); });
  p.system.give("short", 10, 0, () => new Uint8Array(4));
  const fd = p.open("trace/a.log");
  let at = 0, same = true;
  for (let part; (part = p.bytes(fd, 10000)).length; at += part.length) same &&= part.every((b, i) => b === (at + i) % 253);
  point("a file of the user's is read to its end", same && at === bytes.length, at);
  equal("what was read is reported", bytes.length, p.read);
  equal("in strides that double", 3, reads); /* of 1, 2 and 4 pieces, as far as there are some */
  point("and again, from the middle", p.bytes(fd, 100, PIECE - 50).every((b, i) => b === (PIECE - 50 + i) % 253));
  equal("which is reported once", bytes.length, p.read);
  equal("its time", 1500n * 1000000n, (p.size("trace/a.log"), p.view.getBigUint64(RESULT + 48, true)));
  equal("it is not written", -ROFS, p.open("trace/a.log", 0, WRITE));
  equal("nor emptied", -ROFS, p.open("trace/a.log", TRUNCATE, READ));
  equal("a name that would lead out", -IO, p.read_text(p.open("etc/x"), 1));
  equal("one that is shorter than it was", -IO, (p.seek(p.open("short"), 0, 0), p.read_text(p.open("short"), 10, 5)));
}

function theEnd() {
  const p = new Program(), run = (start) => p.system.run({ exports: { memory: p.memory, _start: start } });
  equal("a program that returns", 0, run(() => {}));
  equal("one that exits", 3, run(() => p.calls.proc_exit(3)));
  let thrown = null;
  try { run(() => { throw new WebAssembly.RuntimeError("unreachable"); }); } catch (error) { thrown = error; }
  point("one that fails", thrown instanceof WebAssembly.RuntimeError);
  for (const call of ["fd_read", "fd_pread", "fd_write"])
    equal(`${call} on a directory`, ISDIR, p.calls[call](ROOT, ...p.list(DATA, 1), ...(call === "fd_pread" ? [0n] : []), RESULT));
  equal("another descriptor", BADF, p.calls.fd_read(99, ...p.list(DATA, 1), RESULT));
}

for (const part of [words, own, long, directories, listing, given, theEnd]) part();
end();
