import os
import pathlib
import sys

from traces import Trace

out = pathlib.Path(sys.argv[1])
trace = Trace().string("/home/u/model.py", 0).at(0).artifact("x")
(out / "deep" / "er").mkdir(parents=True)
trace.write(out / "deep" / "er" / "a.log")
(out / "b.log").symlink_to("deep/er/a.log")        # the same file: once
os.link(out / "deep" / "er" / "a.log", out / "c.log")
(out / "deep" / "loop").symlink_to("..")
(out / "self").symlink_to("self")
(out / "dangling").symlink_to("nowhere")
(out / "root").symlink_to("/")
os.mkfifo(out / "pipe.log")
(out / "pipe2.log").symlink_to("pipe.log")
(out / "zero.log").symlink_to("/dev/zero")
(out / "kmsg.log").symlink_to("/proc/kmsg")        # for root it has nothing to read yet, others may not
(out / "empty.log").write_bytes(b"")
(out / "notes.txt").write_text("not a trace\n")
(out / "archive.zip").write_bytes(b"PK\3\4")
(out / "line\nbreak \033[31mred \xff.log".encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")).write_bytes(b"x")
