"""Puts secrets into every string of a trace, one after the other, so that no field can be forgotten."""

import hashlib
import json
import re

# What a cluster is known by, and what must not be left of each: what is long enough to be found by.
SECRETS = {
    "10.23.45.67": "23.45.67",
    "ip-10-23-45-68.ec2.internal": "23-45-68",
    "node_10.23.45.69": "23.45.69",
    "worker10_23_45_70": "23_45_70",
    "tcp://10.23.45.71:29500": "23.45.71",
    "00:1b:44:11:3a:b7": "44:11:3a",
    "00-1b-44-11-3a-b8": "44-11-3a",
    "GPU-5f2c1d9e-77aa-4b1c-9e0f-aabbccddeeff": "77aa-4b1c",
    "[fe80::dead:beef:11]:29500": "dead:beef",
    "2001:db8:0:1:1:1:1:77": "1:1:1:77",
    "i-0123456789abcdef1": "0123456789abcdef1",
    "arn:aws:iam::123456789012:role/zqrole": "123456789012",
    "train-7.zqcluster.svc.cluster.local": "zqcluster",
    "zquser@zqcompany.example": "zqcompany",
    "/mnt/zqshare/10.23.45.72/model.py": "zqshare",
    "s3://zqbucket/10.23.45.73/x": "zqbucket",
}
KEPT = ("name", "ph", "encoding", "has_payload", "key")
RECORD = re.compile(rb"^(V\d{4} [^]]*\] )(\{.*\})\n((?:\t.*\n)*)", re.M)


class Planter:
    def __init__(self):
        self.next = 0

    def text(self, text):
        secret = list(SECRETS)[self.next % len(SECRETS)]
        self.next += 1
        return f"{text} {secret} " if text else secret

    def value(self, value):
        """The same JSON; keys and words that say what a record is stay."""
        if isinstance(value, dict):
            return {key: item if key in KEPT else self.value(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.value(item) for item in value]
        return self.text(value) if isinstance(value, str) else value

    def payload(self, text):
        try:
            return json.dumps(self.value(json.loads(text)))
        except ValueError:
            return "\n".join(self.text(line) for line in text.split("\n"))

    def record(self, match):
        envelope = self.value(json.loads(match[2]))
        payload = match[3].decode()
        if payload:
            text = self.payload("\n".join(line[1:] for line in payload.removesuffix("\n").split("\n")))
            envelope["has_payload"] = hashlib.md5(text.encode()).hexdigest()
            payload = "".join(f"\t{line}\n" for line in text.split("\n"))
        return match[1] + json.dumps(envelope).encode() + b"\n" + payload.encode()


def plant(trace):
    """The trace with a secret at the end of every string, each sort as often as another."""
    return RECORD.sub(Planter().record, trace if trace.endswith(b"\n") else trace + b"\n")


def plant_lines(text):
    """A console text with a secret at the end of each line that has words."""
    planter = Planter()
    return "".join(planter.text(line) + "\n" if line.strip() else "\n" for line in text.decode("utf-8", "replace").splitlines()).encode()


def left(text):
    """The secrets that are found in a text."""
    return [secret for secret, part in SECRETS.items() if part in text]
