import pathlib
import sys

from traces import Trace

long = "n" * 100_000
t = Trace().string("/" + long, 0).at(0).start([(0, 1, long)])
t.artifact(long).record(long, {}).metrics(**{long: long, "co_name": long, "fail_type": long, "fail_reason": long})
t.record("link", {"name": long, "url": "https://" + long}).record("create_symbol", {"symbol": long, "source": long, "val": long, "vr": long})
t.record("describe_tensor", {"id": 0, "dtype": long, "device": long}).record("describe_source", {"id": 0, "source": long})
t.event(long, "B", 1763711520000000).event(long, "E", 1763711520000001)
t.artifact("dynamo_graph_break_reason", "Graph break in user code at /%s:1\nGraph Break Reason: %s\n  Explanation: %s" % (long, long, long))
t.write(pathlib.Path(sys.argv[1]) / "x.log")
