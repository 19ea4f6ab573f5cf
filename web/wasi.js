"use strict";
/*
 * wasi: what the program asks of a system (WASI preview 1), answered from memory: a tree of files of which some are the
 * user's, read piece by piece and never written, and the others are the program's own. It runs to its end in one call,
 * so every answer is given at once: in a Worker, and in node for the tests. Only what wasi-libc imports into the
 * program is here; a call that is missing ends the start with its name.
 */
const wasi = (() => {
  const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, IO = 29, ISDIR = 31, NOENT = 44, NOTDIR = 54,
    NOTEMPTY = 55, NOTSUP = 58, ROFS = 69;
  const CHARACTER = 2, DIRECTORY = 3, REGULAR = 4; /* types of files */
  const CREATE = 1, WANTS_DIRECTORY = 2, EXCLUSIVE = 4, TRUNCATE = 8; /* flags of path_open ... */
  const APPEND = 1; /* ... and of descriptors */
  const MAY_WRITE = 64n;
  const ROOT = 3; /* the descriptor of the only directory that is open from the start */
  const PIECE = 1 << 18, READ_AHEAD = 1 << 22, CACHED = 112 << 20;

  class Failure extends Error {
    constructor(errno) {
      super("errno " + errno);
      this.errno = errno;
    }
  }

  /* The program called exit(). */
  class Exit extends Error {
    constructor(status) {
      super("exit " + status);
      this.status = status;
    }
  }

  const fail = (errno) => { throw new Failure(errno); };

  /* --- files --- */

  let inodes = 0;

  class Directory {
    type = DIRECTORY;
    inode = ++inodes;
    entries = new Map();
    size = 0;
    modified = 0;
  }

  /* A file of the program's: a list of pieces of one length, so that growing copies nothing. */
  class Made {
    type = REGULAR;
    inode = ++inodes;
    pieces = [];
    size = 0;
    modified = 0;

    read(bytes, at) {
      const n = Math.max(0, Math.min(bytes.length, this.size - at));
      for (let done = 0; done < n;) {
        const from = (at + done) % PIECE, piece = this.pieces[(at + done - from) / PIECE];
        const k = Math.min(n - done, PIECE - from);
        bytes.set(piece.subarray(from, from + k), done);
        done += k;
      }
      return n;
    }

    write(bytes, at) {
      this.resize(Math.max(this.size, at + bytes.length));
      for (let done = 0; done < bytes.length;) {
        const from = (at + done) % PIECE, k = Math.min(bytes.length - done, PIECE - from);
        this.pieces[(at + done - from) / PIECE].set(bytes.subarray(done, done + k), from);
        done += k;
      }
    }

    resize(size) {
      const wanted = Math.ceil(size / PIECE);
      if (size < this.size && size % PIECE) this.pieces[wanted - 1].fill(0, size % PIECE);
      this.pieces.length = Math.min(this.pieces.length, wanted);
      while (this.pieces.length < wanted) this.pieces.push(new Uint8Array(PIECE));
      this.size = size;
    }

    /* What is in it, for a Blob; the pieces are not copied. */
    parts() {
      return this.pieces.map((piece, i) => piece.subarray(0, Math.min(PIECE, this.size - i * PIECE)));
    }
  }

  /* Pieces of the user's files that were read last, over all of them. */
  class Cache {
    pieces = new Map();
    bytes = 0;

    get(key) {
      const piece = this.pieces.get(key);
      if (!piece) return undefined;
      this.pieces.delete(key);
      this.pieces.set(key, piece); /* the newest is the last */
      return piece;
    }

    has(key) {
      return this.pieces.has(key);
    }

    /* Of a key that is not there. */
    put(key, piece) {
      this.pieces.set(key, piece);
      this.bytes += piece.length;
      for (const [oldest, old] of this.pieces) {
        if (this.bytes <= CACHED) break;
        this.pieces.delete(oldest);
        this.bytes -= old.length;
      }
    }
  }

  /* A file of the user's: `slice(from, to)` gives its bytes, or throws. */
  class Given {
    type = REGULAR;
    inode = ++inodes;

    constructor(system, size, modified, slice) {
      Object.assign(this, { system, size, modified, slice, furthest: 0, stride: 0, next: -1 });
    }

    /*
     * Gives the piece that holds `at`, and reads those after it that are soon asked for: `wanted` bytes at least. A
     * browser takes as long to find a place in a file as to copy half a megabyte, so reads in a row take strides that
     * double.
     */
    load(at, wanted) {
      const first = at - at % PIECE, end = at + wanted;
      this.stride = first === this.next ? Math.min(READ_AHEAD, 2 * this.stride) : PIECE;
      this.next = first + PIECE;
      while (this.next < Math.min(this.size, Math.max(end, first + this.stride)) &&
             !this.system.cache.has(this.key(this.next)))
        this.next += PIECE;
      let bytes;
      try {
        bytes = this.slice(first, Math.min(this.size, this.next));
      } catch {
        fail(IO); /* it is gone, or not as it was when it was chosen */
      }
      for (let from = 0; from < bytes.length; from += PIECE)
        this.system.cache.put(this.key(first + from), bytes.slice(from, from + PIECE));
      return bytes.subarray(0, PIECE);
    }

    key(at) {
      return this.inode + ":" + at;
    }

    read(bytes, at) {
      const n = Math.max(0, Math.min(bytes.length, this.size - at));
      for (let done = 0; done < n;) {
        const from = (at + done) % PIECE;
        const piece =
          this.system.cache.get(this.key(at + done - from)) ?? this.load(at + done, Math.min(READ_AHEAD, n - done));
        const part = piece.subarray(from, from + n - done);
        if (part.length === 0) fail(IO);
        bytes.set(part, done);
        done += part.length;
      }
      if (at + n > this.furthest) {
        this.system.onread(at + n - this.furthest);
        this.furthest = at + n;
      }
      return n;
    }

    write() {
      fail(ROFS);
    }

    resize() {
      fail(ROFS);
    }
  }

  /* Standard input, which is empty, and the other two, of which the bytes go to a function. */
  class Stream {
    type = CHARACTER;
    inode = ++inodes;
    size = 0;
    modified = 0;

    constructor(write) {
      this.write = write;
    }

    read() {
      return 0;
    }
  }

  /* --- the system --- */

  class System {
    root = new Directory();
    cache = new Cache();
    open = new Map(); /* descriptors */
    memory = null;

    /* `onread` is called with how many bytes of the user's files were read for the first time. */
    constructor({ args, env = {}, stdout, stderr, onread = () => {} }) {
      this.args = args.map((word) => encode(word));
      this.env = Object.entries(env).map(([name, value]) => encode(name + "=" + value));
      this.onread = onread;
      [new Stream(() => {}), new Stream(stdout), new Stream(stderr), this.root].forEach((node, fd) =>
        this.open.set(fd, { node, at: 0, flags: 0 }));
    }

    /* Puts a file of the user's into the tree. A name that cannot be one of a file is changed, not obeyed. */
    give(path, size, modified, slice) {
      const names = path.split("/").filter((name) => name && name !== "." && name !== "..");
      const name = names.pop() ?? "file";
      this.directory(names.join("/")).entries.set(name, new Given(this, size, modified, slice));
    }

    /* Makes directories on the way. */
    directory(path) {
      return path.split("/").filter(Boolean).reduce((at, name) => {
        if (at.entries.get(name)?.type !== DIRECTORY) at.entries.set(name, new Directory());
        return at.entries.get(name);
      }, this.root);
    }

    /* The node at a path, or undefined. */
    find(path) {
      return path.split("/").filter(Boolean).reduce((at, name) => at?.entries?.get(name), this.root);
    }

    run(instance) {
      this.memory = instance.exports.memory;
      try {
        instance.exports._start();
      } catch (error) {
        if (error instanceof Exit) return error.status;
        throw error;
      }
      return 0;
    }

    /* --- for the calls --- */

    view() {
      return new DataView(this.memory.buffer);
    }

    bytes(at, n) {
      return new Uint8Array(this.memory.buffer, at >>> 0, n >>> 0);
    }

    descriptor(fd) {
      return this.open.get(fd) ?? fail(BADF);
    }

    file(fd) {
      const d = this.descriptor(fd);
      if (d.node.type === DIRECTORY) fail(ISDIR);
      return d;
    }

    /* The directory that a path ends in, and the name there; an empty one for the directory itself. */
    place(fd, at, n) {
      const names = decode(this.bytes(at, n)).split("/"), way = [this.descriptor(fd).node];
      let last = "";
      for (const name of names) {
        if (name === "" || name === ".") continue;
        const here = last ? way.at(-1).entries.get(last) : way.at(-1);
        if (!here) fail(NOENT);
        if (here.type !== DIRECTORY) fail(NOTDIR);
        if (last) way.push(here);
        last = name;
        if (name !== "..") continue;
        if (way.length > 1) way.pop();
        last = "";
      }
      return { parent: way.at(-1), name: last, node: last ? way.at(-1).entries.get(last) : way.at(-1) };
    }

    there(fd, at, n) {
      const place = this.place(fd, at, n);
      return place.node ? place : fail(NOENT);
    }

    /* Calls f for each of the pieces of memory that a list names, as long as it takes or gives all of one. */
    each(list, count, f) {
      let total = 0;
      for (let i = 0; i < count; i++) {
        const view = this.view(), n = view.getUint32(list + 8 * i + 4, true);
        const k = f(this.bytes(view.getUint32(list + 8 * i, true), n), total);
        total += k;
        if (k < n) break;
      }
      return total;
    }

    filestat(node, to) {
      const view = this.view();
      this.bytes(to, 64).fill(0);
      view.setBigUint64(to + 8, BigInt(node.inode), true);
      view.setUint8(to + 16, node.type);
      view.setBigUint64(to + 24, 1n, true);
      view.setBigUint64(to + 32, BigInt(node.size), true);
      for (const time of [40, 48, 56]) view.setBigUint64(to + time, BigInt(Math.floor(node.modified)) * 1000000n, true);
      return OK;
    }

    strings(list, pointers, to) {
      for (const bytes of list) {
        this.view().setUint32(pointers, to, true);
        this.bytes(to, bytes.length + 1).set([...bytes, 0]);
        pointers += 4;
        to += bytes.length + 1;
      }
      return OK;
    }

    sizes(list, count, bytes) {
      this.view().setUint32(count, list.length, true);
      this.view().setUint32(bytes, list.reduce((sum, word) => sum + word.length + 1, 0), true);
      return OK;
    }

    put(at, n) {
      this.view().setUint32(at, n, true);
      return OK;
    }

    /* What is imported into the program: failures become numbers. */
    imports() {
      const table = {};
      for (const [name, call] of Object.entries(calls))
        table[name] = (...args) => {
          try {
            return call(this, ...args) ?? OK;
          } catch (error) {
            if (error instanceof Failure) return error.errno;
            throw error;
          }
        };
      return { wasi_snapshot_preview1: table };
    }
  }

  function remove({ parent, name, node }, directory) {
    if (!name) fail(INVAL);
    if (directory !== (node.type === DIRECTORY)) fail(directory ? NOTDIR : ISDIR);
    if (directory && node.entries.size) fail(NOTEMPTY);
    parent.entries.delete(name);
  }

  function openAt(place, flags, wantsToWrite) {
    let node = place.node;
    if (!node && !(flags & CREATE)) fail(NOENT);
    if (node && flags & CREATE && flags & EXCLUSIVE) fail(EXIST);
    if (!node) place.parent.entries.set(place.name, node = new Made());
    if (flags & WANTS_DIRECTORY && node.type !== DIRECTORY) fail(NOTDIR);
    if (node.type === DIRECTORY && wantsToWrite) fail(ISDIR);
    if (node instanceof Given && wantsToWrite) fail(ROFS);
    if (flags & TRUNCATE) node.resize(0);
    return node;
  }

  function seek(d, offset, whence) {
    const to = Number(offset) + [0, d.at, d.node.size][whence];
    if (!(to >= 0)) fail(INVAL);
    return d.at = to;
  }

  /* One entry of a directory, as much of it as there is room for. The number of bytes. */
  function entry(s, to, room, next, name, node) {
    const bytes = encode(name), head = new DataView(new ArrayBuffer(24));
    head.setBigUint64(0, BigInt(next), true);
    head.setBigUint64(8, BigInt(node.inode), true);
    head.setUint32(16, bytes.length, true);
    head.setUint8(20, node.type);
    const all = new Uint8Array(24 + bytes.length);
    all.set(new Uint8Array(head.buffer));
    all.set(bytes, 24);
    const part = all.subarray(0, room);
    s.bytes(to, part.length).set(part);
    return part.length;
  }

  const calls = {
    args_get: (s, pointers, to) => s.strings(s.args, pointers, to),
    args_sizes_get: (s, count, bytes) => s.sizes(s.args, count, bytes),
    environ_get: (s, pointers, to) => s.strings(s.env, pointers, to),
    environ_sizes_get: (s, count, bytes) => s.sizes(s.env, count, bytes),

    clock_time_get(s, clock, precision, to) {
      const ms = clock === 0 ? Date.now() : performance.now();
      s.view().setBigUint64(to, BigInt(Math.round(ms * 1000)) * 1000n, true);
    },
    random_get(s, to, n) {
      const bytes = new Uint8Array(n);
      for (let at = 0; at < n; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
      s.bytes(to, n).set(bytes);
    },
    sched_yield: () => OK,
    poll_oneoff: () => NOTSUP,
    proc_exit(s, status) {
      throw new Exit(status);
    },

    fd_close(s, fd) {
      s.descriptor(fd);
      s.open.delete(fd);
    },
    fd_fdstat_get(s, fd, to) {
      const d = s.descriptor(fd), view = s.view();
      s.bytes(to, 24).fill(0);
      view.setUint8(to, d.node.type);
      view.setUint16(to + 2, d.flags, true);
      view.setBigUint64(to + 8, (1n << 29n) - 1n, true);
      view.setBigUint64(to + 16, (1n << 29n) - 1n, true);
    },
    fd_fdstat_set_flags(s, fd, flags) {
      s.descriptor(fd).flags = flags;
    },
    fd_filestat_get: (s, fd, to) => s.filestat(s.descriptor(fd).node, to),
    fd_filestat_set_size(s, fd, size) {
      s.file(fd).node.resize(Number(size));
    },
    fd_prestat_get(s, fd, to) {
      if (fd !== ROOT) fail(BADF);
      s.view().setUint8(to, 0);
      s.put(to + 4, 1);
    },
    fd_prestat_dir_name(s, fd, to) {
      s.bytes(to, 1)[0] = 47;
    },
    fd_read(s, fd, list, count, to) {
      const d = s.file(fd);
      return s.put(to, s.each(list, count, (bytes) => {
        const n = d.node.read(bytes, d.at);
        d.at += n;
        return n;
      }));
    },
    fd_pread: (s, fd, list, count, offset, to) =>
      s.put(to, s.each(list, count, (bytes, done) => s.file(fd).node.read(bytes, Number(offset) + done))),
    fd_write(s, fd, list, count, to) {
      const d = s.file(fd);
      if (d.flags & APPEND) d.at = d.node.size;
      return s.put(to, s.each(list, count, (bytes) => {
        d.node.write(bytes, d.at);
        d.at += bytes.length;
        return bytes.length;
      }));
    },
    fd_pwrite: (s, fd, list, count, offset, to) =>
      s.put(to, s.each(list, count, (bytes, done) => {
        s.file(fd).node.write(bytes, Number(offset) + done);
        return bytes.length;
      })),
    fd_seek(s, fd, offset, whence, to) {
      s.view().setBigUint64(to, BigInt(seek(s.file(fd), offset, whence)), true);
    },
    fd_readdir(s, fd, to, room, cookie, used) {
      const { node } = s.descriptor(fd);
      if (node.type !== DIRECTORY) fail(NOTDIR);
      const list = [[".", node], ["..", node], ...node.entries];
      let done = 0;
      for (let i = Number(cookie); i < list.length && done < room; i++)
        done += entry(s, to + done, room - done, i + 1, ...list[i]);
      s.put(used, done);
    },

    path_open(s, fd, lookup, at, n, flags, rights, inherited, descriptorFlags, to) {
      const node = openAt(s.place(fd, at, n), flags, (BigInt.asUintN(64, rights) & MAY_WRITE) !== 0n);
      let free = ROOT + 1;
      while (s.open.has(free)) free++;
      s.open.set(free, { node, at: 0, flags: descriptorFlags });
      s.put(to, free);
    },
    path_filestat_get: (s, fd, flags, at, n, to) => s.filestat(s.there(fd, at, n).node, to),
    path_create_directory(s, fd, at, n) {
      const place = s.place(fd, at, n);
      if (place.node) fail(EXIST);
      place.parent.entries.set(place.name, new Directory());
    },
    path_unlink_file: (s, fd, at, n) => remove(s.there(fd, at, n), false),
    path_remove_directory: (s, fd, at, n) => remove(s.there(fd, at, n), true),
    path_rename(s, fd, at, n, toFd, toAt, toN) {
      const from = s.there(fd, at, n), to = s.place(toFd, toAt, toN);
      if (!from.name || !to.name) fail(INVAL);
      if (to.node === from.node) return;
      if (to.node) remove(to, from.node.type === DIRECTORY);
      from.parent.entries.delete(from.name);
      to.parent.entries.set(to.name, from.node);
    },
    path_readlink: (s, fd, at, n) => s.there(fd, at, n) && INVAL, /* nothing is a link */
    path_symlink: () => NOTSUP,
    path_link: () => NOTSUP,
  };

  const encode = (text) => new TextEncoder().encode(text), decode = (bytes) => new TextDecoder().decode(bytes);

  return { System };
})();
