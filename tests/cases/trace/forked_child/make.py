import pathlib
import sys

from traces import Trace

# The child uses numbers of strings that only the parent's file defines.
out = pathlib.Path(sys.argv[1])
Trace(pid=10).string("/parent.py", 0).string("/model.py", 1).at(0).start([(0, 1, "f")]).write(out / "parent.log")
Trace(pid=11).at(1).start([(1, 5, "g"), (0, 6, "h")]).write(out / "x_child.log")
