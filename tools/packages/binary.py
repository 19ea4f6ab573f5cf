"""What stands at the head of a program: the machine it is for, and what it needs, of ELF and of Mach-O files."""
from __future__ import annotations

import dataclasses
import hashlib
import struct

ELF_MACHINES = {62: "x86_64", 183: "aarch64", 22: "s390x"}
MACH_MACHINES = {0x01000007: "x86_64", 0x0100000C: "aarch64"}
LC_LOAD_DYLIB, LC_VERSION_MIN_MACOSX, LC_CODE_SIGNATURE, LC_BUILD_VERSION = 0xC, 0x24, 0x1D, 0x32
CODE_DIRECTORY, CODE_MAGIC, AD_HOC, SHA256 = 0, 0xFADE0C02, 2, 2


@dataclasses.dataclass
class Head:
    kind: str                    # elf or mach-o
    cpu: str
    libraries: list[str]         # of Mach-O only
    system: tuple[int, int] = (0, 0)   # the oldest macOS
    signed: bool = False         # ad hoc, and every page has the digest that the signature says
    dynamic: bool = False        # an ELF program with an interpreter


def read_elf(data: bytes) -> Head:
    order = "<" if data[5] == 1 else ">"
    machine = struct.unpack_from(order + "H", data, 18)[0]
    at, size, count = (struct.unpack_from(order + "Q", data, 32)[0], *struct.unpack_from(order + "HH", data, 54))
    kinds = [struct.unpack_from(order + "I", data, at + i * size)[0] for i in range(count)]
    return Head("elf", ELF_MACHINES.get(machine, str(machine)), [], dynamic=3 in kinds)


def is_signed(data: bytes, at: int) -> bool:
    """Whether the signature at that place is ad hoc and of this file: macOS on arm64 ends a program of which a page differs.
    The parts of a signature: XNU's cs_blobs.h; its numbers are big-endian."""
    count = struct.unpack_from(">I", data, at + 8)[0]
    parts = dict(struct.unpack_from(">2I", data, at + 12 + 8 * i) for i in range(count))
    code = at + parts[CODE_DIRECTORY]
    flags, hashes, _, _, pages, limit, size, kind, _, page = struct.unpack_from(">6I4B", data, code + 12)
    if struct.unpack_from(">I", data, code)[0] != CODE_MAGIC or not flags & AD_HOC or (size, kind) != (32, SHA256):
        return False
    found = [hashlib.sha256(data[i << page:min((i + 1) << page, limit)]).digest() for i in range(pages)]
    return limit == at and found == [data[code + hashes + 32 * i:code + hashes + 32 * (i + 1)] for i in range(pages)]


def read_mach(data: bytes) -> Head:
    _, cpu, _, _, count, _, _ = struct.unpack_from("<7I", data)
    head, at = Head("mach-o", MACH_MACHINES.get(cpu, hex(cpu)), []), 32
    for _ in range(count):
        command, size = struct.unpack_from("<2I", data, at)
        if command & 0x7FFFFFFF == LC_LOAD_DYLIB:
            name = at + struct.unpack_from("<I", data, at + 8)[0]
            head.libraries.append(data[name:at + size].split(b"\0")[0].decode())
        elif command in (LC_VERSION_MIN_MACOSX, LC_BUILD_VERSION):
            version = struct.unpack_from("<I", data, at + (8 if command == LC_VERSION_MIN_MACOSX else 12))[0]
            head.system = (version >> 16, version >> 8 & 255)
        elif command == LC_CODE_SIGNATURE:
            head.signed = is_signed(data, struct.unpack_from("<I", data, at + 8)[0])
        at += size
    return head


def read(data: bytes) -> Head:
    if data[:4] == b"\x7fELF":
        return read_elf(data)
    if data[:4] == b"\xcf\xfa\xed\xfe":
        return read_mach(data)
    raise ValueError("neither ELF nor Mach-O")
