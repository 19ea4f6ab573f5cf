"""Bytes that are no text in the range of a symbol, which is longer in the report than it was."""

import pathlib
import sys

PREFIX = b"I1121 08:08:17.900000 7 torch/fx/experimental/symbolic_shapes.py:5] [0/0] "
pathlib.Path(sys.argv[1], "log.txt").write_bytes(
    PREFIX + b"create_symbol s77 = 4 for [\xff\xff\0\xff\xff\xff\0\xff]L\n" +
    PREFIX + b"create_symbol s78 = 4 for L['x'].size()[0] [2, \xff\0oo] x + 1  # shop.py:5 in f (builder.py:7 in g)\n")
