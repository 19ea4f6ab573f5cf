import pathlib
import sys

from traces import Trace

# Thirty levels, two ways into each: 2^30 paths for whoever follows links.
out = pathlib.Path(sys.argv[1])
for i in range(30):
    (out / ("d%d" % i)).mkdir()
for i in range(29):
    (out / ("d%d" % i) / "l").symlink_to("../d%d" % (i + 1))
    (out / ("d%d" % i) / "r").symlink_to("../d%d" % (i + 1))
Trace().at(0).artifact("x").write(out / "d29" / "x.log")
