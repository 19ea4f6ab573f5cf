import gzip
import pathlib
import sys

(pathlib.Path(sys.argv[1]) / "x.log.gz").write_bytes(gzip.compress(b"", mtime=0))
(pathlib.Path(sys.argv[1]) / "head.log.gz").write_bytes(b"\x1f\x8b\x08")
