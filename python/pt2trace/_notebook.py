"""`%load_ext pt2trace`: the magic `%%pt2trace` runs a cell and shows what torch.compile did in it."""

from typing import Any

from ._capture import capture

USAGE = "%%pt2trace takes one name at most: the variable that gets the capture"


def register(shell: Any) -> None:
    from IPython.display import display

    def pt2trace(line: str, cell: str) -> None:
        """%%pt2trace [NAME]: runs the cell, and shows findings under it. NAME becomes the capture (see pt2trace.capture)."""
        words = line.split()
        if len(words) > 1 or not all(word.isidentifier() for word in words):
            raise ValueError(USAGE)
        with capture() as found:
            result = shell.run_cell(cell)
        if words:
            shell.user_ns[words[0]] = found
        display(found)
        # The error was shown already; a notebook that is run as a whole must stop here all the same.
        result.raise_error()

    shell.register_magic_function(pt2trace, magic_kind="cell", magic_name="pt2trace")
