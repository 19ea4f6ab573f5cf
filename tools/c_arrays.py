"""Bytes as C, for the scripts that compile files into the program."""


def array(name: str, data: bytes) -> str:
    """A definition of the bytes: ISO C promises no string literals of this length, and an empty array is no C."""
    rows = [",".join(str(b) for b in data[at:at + 32]) for at in range(0, len(data), 32)]
    return f"static const unsigned char {name}[] = {{\n" + ",\n".join(rows or ["0"]) + "};\n"
