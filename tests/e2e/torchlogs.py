"""Reads TORCH_LOGS text, as plain as can be: for what PyTorch itself said beside a trace."""

import gzip
import re
from collections import Counter

LINE = re.compile(
    r"(?:\[(?:default|rank)\d+\]:)*(?:\[rank(?P<rank>\d+)\]:)?[VIWE](?P<time>\d{4} [\d:.]+) (?P<pid>\d+) (?P<site>\S+?:\d+)\]"
    r"(?: \[(?P<id>!?[\d/]+)(?:_\d+)?\])?(?: \[__(?P<artifact>\w+)\])? ?(?P<text>.*)")
PLACE = re.compile(r"Graph break (?:\(.*?\) )?in user code at (.*):(\d+)")
REASON = re.compile(r"    - (\d+/\d+): (.*)")
RECOMPILES = ("recompiles", "recompiles_verbose")
HEADS = ("Graph break", "Recompiling function", "torch._dynamo hit config")


class Message:
    def __init__(self, match):
        self.time, self.pid, self.site, self.id, self.artifact = match["time"], match["pid"], match["site"], match["id"], match["artifact"]
        self.lines = [match["text"]]

    def goes_on(self, match):
        return not match["text"].startswith(HEADS) and (self.time, self.pid, self.site, self.id, self.artifact) == (
            match["time"], match["pid"], match["site"], match["id"], match["artifact"])

    @property
    def head(self):
        return self.lines[0]


def messages(path):
    """Lines with the same prefix belong together, as long as no new message begins."""
    found = []
    with gzip.open(path, "rt", errors="replace") as lines:
        for line in lines:
            match = LINE.fullmatch(line.rstrip("\n"))
            if not match:
                continue
            if found and found[-1].goes_on(match):
                found[-1].lines.append(match["text"])
            else:
                found.append(Message(match))
    return found


def graph_breaks(messages):
    """{(id, file, line): count}. The form is the one of 2.6 and later; a break whose stack is suppressed as a duplicate counts too.

    "Graph break: from user code at" of Tensor.item() announces the break that follows, so it is none of its own."""
    places = Counter()
    for message in messages:
        place = PLACE.match(message.head)
        if place:
            places[message.id, place[1], int(place[2])] += 1
    return places


def old_graph_breaks(messages):
    """{id: count}: 2.5 and earlier. A place that was logged before is left out, as is a jump on data: these are a part."""
    return Counter(message.id for message in messages if re.match("Graph break: (skip: )?from user code at", message.head))


def recompiles(messages):
    """({id: count}, {(id, against, guard): count}) of the messages about recompiles. One that an exception quotes
    (RecompileError) is logged a second time, without a prefix."""
    ids, reasons = Counter(), Counter()
    for message in messages:
        if message.head.startswith("Recompiling function") and message.artifact in RECOMPILES:
            ids[message.id] += 1
            for line in message.lines:
                reason = REASON.match(line)
                if reason:
                    reasons[message.id, reason[1], reason[2].split("  #")[0].strip()] += 1
    return ids, reasons


def limit_hits(messages):
    return Counter(message.id for message in messages if message.head.startswith("torch._dynamo hit config"))
