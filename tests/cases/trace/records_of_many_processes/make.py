import pathlib
import sys

# Every record of another process, and one string that each of them defines anew.
lines = ['V1121 07:52:00.000000 %d x.py:1] {"str": ["/f%d.py", %d]}' % (i % 5000 + 1, i, 1048575 - i % 3) for i in range(20000)]
(pathlib.Path(sys.argv[1]) / "x.log").write_text("\n".join(lines) + "\n")
