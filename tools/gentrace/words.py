"""Invented vocabulary, content hashes, and the configuration of the traced process."""

import base64
import hashlib
import json

SITE_PACKAGES = "/venv/lib/python3.11/site-packages"
TORCH = SITE_PACKAGES + "/torch"
PROJECT = "/srv/jobs/heron"

PYTORCH_VERSION = "2.13.0+cu130"
PYTORCH_COMMIT = "5e1f0c9a7b3d42688c17d9f4a05be2d6c3718f90"

FIRST = ("Amber", "Brook", "Cedar", "Delta", "Ember", "Fjord", "Grove", "Heath", "Inlet", "Juniper",
         "Kelp", "Lagoon", "Marsh", "Nectar", "Orchard", "Pebble", "Quartz", "Reed", "Saffron",
         "Thicket", "Umber", "Valley", "Willow", "Yarrow")
SECOND = ("Encoder", "Decoder", "Mixer", "Backbone", "Tower", "Critic", "Sampler", "Renderer",
          "Ranker", "Adapter", "Router", "Denoiser")

CONFIG_VERBS = ("allow", "assume", "benchmark", "cache", "check", "combine", "debug", "defer",
                "dump", "enable", "expand", "fold", "force", "fuse", "hoist", "inline", "keep",
                "limit", "lower", "merge", "normalize", "pad", "pick", "prefer", "prune",
                "reorder", "replay", "reuse", "skip", "split", "tile", "trace", "unroll", "warn_on")
CONFIG_NOUNS = ("aliases", "allocations", "atomics", "barriers", "bias_adds", "broadcasts",
                "buckets", "buffers", "casts", "chains", "clones", "collectives", "constants",
                "copies", "dead_nodes", "epilogues", "extern_calls", "gathers", "graphs", "guards",
                "heuristics", "indexing", "kernels", "layouts", "masks", "matmuls", "names",
                "partitions", "passes", "patterns", "permutes", "pointwise_ops", "prologues",
                "reductions", "scans", "schedules", "seeds", "shapes", "slices", "softmaxes",
                "sources", "strides", "subgraphs", "templates", "tensors", "views", "weights")
CONFIG_TAILS = ("", "", "", "", "_limit", "_mode", "_on_failure", "_threshold", "_for_tests",
                "_in_backward", "_per_graph", "_with_autotune")
CONFIG_GROUPS = ("", "", "", "", "", "triton.", "cpp.", "cutlass.", "aot.", "trace.", "rocm.")


def digest(text):
    """The 51 characters that PyTorch's caches print for the hash of a key component."""
    return base64.b32encode(hashlib.sha256(text.encode()).digest()).decode().lower()[:51]


def random_name(rng, length=8):
    """Characters as tempfile draws them for the names of trace files."""
    return "".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789_", k=length))


def _config_value(rng):
    """Mostly booleans and None, as in real configurations, and a few values of every kind."""
    kind = rng.random()
    if kind < 0.40:
        return False
    if kind < 0.60:
        return True
    if kind < 0.76:
        return None
    if kind < 0.84:
        return rng.choice((0, 1, 2, 4, 8, 10, 16, 32, 64, 128))
    if kind < 0.89:
        return rng.randrange(3, 5000)
    if kind < 0.92:
        return round(rng.random() * 4, 2)
    if kind < 0.97:
        return "_".join((rng.choice(CONFIG_VERBS), rng.choice(CONFIG_NOUNS)))
    return rng.choice(([], {}, "", "auto", [2, 1, 1], rng.sample(CONFIG_NOUNS, 3)))


def _config(rng, entries, groups):
    """A configuration dictionary, sorted by key as PyTorch prints it."""
    values = {}
    while len(values) < entries:
        key = (rng.choice(groups) + rng.choice(CONFIG_VERBS) + "_" + rng.choice(CONFIG_NOUNS)
               + rng.choice(CONFIG_TAILS) + rng.choice(("", "_of_" + rng.choice(CONFIG_NOUNS))))
        values[key] = _config_value(rng)
    return dict(sorted(values.items()))


class ProcessConfig:
    """The four configurations that every metrics record and every cache key carries.

    They are constant in a process, so they are made once and kept both as the JSON text of
    compilation_metrics and as the components of a cache key.
    """

    def __init__(self, rng):
        plain = ("",)
        inductor = _config(rng, 620, CONFIG_GROUPS)
        self.dynamo = json.dumps(_config(rng, 127, plain))
        self.inductor = json.dumps(inductor)
        self.functorch_values = _config(rng, 61, plain)
        self.functorch = json.dumps(self.functorch_values)
        self.compiler = json.dumps(_config(rng, 9, plain))
        self.cache_components = [
            json.dumps("[%s] inductor_config[%s]: %s" % (digest(str(value)), key, value))
            for key, value in inductor.items()]
