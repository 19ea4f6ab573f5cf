import pathlib
import sys

from traces import Trace

t = Trace().at(0)
for opening, closing in (("[", "]"), ('{"a": ', "}")):
    for depth in (500, 1500, 5000, 500_000):
        t.raw(t.prefix() + '{"artifact": {"name": "deep", "x": ' + opening * depth + "1" + closing * depth
              + '}, "frame_id": 0, "frame_compile_id": 0}\n')
        t.raw(t.prefix() + '{"compilation_metrics": {"odd": ' + opening * depth + "1" + closing * depth
              + '}, "frame_id": 0, "frame_compile_id": 0}\n')
t.write(pathlib.Path(sys.argv[1]) / "x.log")
