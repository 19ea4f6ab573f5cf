import pathlib
import sys

from traces import Trace

Trace().string("/m.py", 0).at(0).start([(0, i, "f%d" % i) for i in range(100000)]).write(pathlib.Path(sys.argv[1]) / "x.log")
