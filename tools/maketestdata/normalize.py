"""Makes a trace anonymous: paths become generic, user and host names go, payload digests are computed again.

Only text inside records changes. Their number, order and structure stay, and so does a digest that did not fit its payload
before (a record that was cut off).
"""

import getpass
import hashlib
import os
import re
import socket

DIGEST = re.compile(rb'"has_payload": "([0-9a-f]{32})"')


class Normalizer:
    """Replaces the longest matching path first. `places` maps paths of this machine to generic ones."""

    def __init__(self, places):
        ordered = sorted(places.items(), key=lambda place: -len(place[0]))
        self.places = [(path.encode(), generic.encode()) for path, generic in ordered]
        self.private = private_words(places)
        self.user = getpass.getuser().encode()

    def text(self, data):
        """`data` with every path made generic."""
        for path, generic in self.places:
            data = data.replace(path, generic)
        for prefix in (b"/tmp/torchinductor_", b"/tmp/export_"):
            data = data.replace(prefix + self.user, prefix + b"user")
        return data

    def trace(self, data):
        """A whole trace file."""
        return b"".join(self.record(record) for record in split_records(data))

    def record(self, record):
        head, newline, payload = record.partition(b"\n")
        new_head, new_payload = self.text(head), self.text(payload)
        found = DIGEST.search(head)
        if found and found.group(1) == digest(payload):
            new_head = DIGEST.sub(b'"has_payload": "' + digest(new_payload) + b'"', new_head, count=1)
        return new_head + newline + new_payload

    def check(self, data, name):
        """Fails if a word that belongs to this machine is still there."""
        for word in self.private:
            if word in data:
                around = data[max(0, data.index(word) - 80):][:160]
                raise SystemExit(f"{name}: {word!r} is still there: {around!r}")


def private_words(places):
    words = [path for path in places if path.count("/") > 1] + [os.path.expanduser("~") + "/"]
    host = socket.gethostname()
    if len(host) > 4:  # a shorter one is too likely to be a part of a word
        words.append(host)
    return [word.encode() for word in words]


def split_records(data):
    """A record is a line that does not begin with a tab and the lines after it that do."""
    records = []
    for line in re.findall(rb"[^\n]*\n|[^\n]+$", data):
        if line.startswith(b"\t") and records:
            records[-1].append(line)
        else:
            records.append([line])
    return [b"".join(lines) for lines in records]


def digest(payload):
    """md5 of a payload as it lies in the file: a tab before every line, a newline after the last."""
    lines = payload.removesuffix(b"\n").split(b"\n")
    return hashlib.md5(b"\n".join(line[1:] for line in lines)).hexdigest().encode()
