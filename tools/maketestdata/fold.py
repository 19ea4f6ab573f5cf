"""Turns the events that observer.py wrote into truth.json. testdata/README.md documents every field."""

import json
from collections import Counter

SCHEMA = 1

CACHES = {
    "aotautograd": ("aot_autograd", "autograd_cache_"),
    "fx_graph": ("inductor", "fxgraph_cache_"),
}
OUTCOMES = ("hit", "miss", "bypass")


def read_events(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


# --- one process ----------------------------------------------------------------------------------------------------------


class Process:
    """What one process did. Events are handed to the method of their name, in order."""

    def __init__(self, events):
        self.about = {}
        self.compiles = {}  # (epoch, id) -> facts
        self.epoch = 0
        self.resets = 0
        self.limit_hits = 0
        self.reasons = None  # of the compile that comes next
        self.breaks = []
        self.failed = None  # the compile that ended with an exception and whose fate is not known yet
        self.errors = []
        self.fallbacks = []
        self.autograd_captures = set()
        self.backend_calls = None
        self.symbols = {}
        self.ranks = set()
        self.last_counters = {}
        self.phases = Counter()
        self.phase_times = Counter()
        self.finished = False
        self.notes = {}
        for event in events:
            self.take(event)

    def take(self, event):
        facts = dict(event)
        kind, rank = facts.pop("event"), facts.pop("rank")
        if rank is not None:
            self.ranks.add(rank)
        self.last_counters = facts.pop("counters", self.last_counters)
        getattr(self, "on_" + kind)(**facts)

    def on_process(self, inherited, **facts):
        self.about = facts
        self.inherited = inherited["counters"]
        self.on_reset_done(inherited["phases"])

    def compile(self, id):
        return self.compiles[self.epoch, id]

    def on_compile_id(self, id):
        self.compiles[self.epoch, id] = {
            "id": id, "epoch": self.epoch, "function": None, "file": None, "line": None, "attempts": 0, "graphs": 0,
            "graph_breaks": 0, "graph_ops": None, "guards": None, "limit": None, "outcome": None,
            "error": None, "backward": False,
        }
        self.compiles[self.epoch, id]["reasons"], self.reasons = self.reasons, None

    def on_frame(self, id, **facts):
        self.compile(id).update(facts, outcome="unfinished")

    def on_limit(self, id, kind):
        """2.3 looks at the limit before it makes an id, and then makes none."""
        self.limit_hits += 1
        if id is not None:
            self.compile(id)["limit"] = kind

    def on_recompile(self, id, reasons):
        """2.3 reports the reasons before it makes the id."""
        if id is None:
            self.reasons = reasons
        else:
            self.compile(id)["reasons"] = reasons

    def on_attempt(self, id):
        self.compile(id)["attempts"] += 1

    def on_graph(self, id, ops):
        self.compile(id)["graphs"] += 1

    def on_graph_break(self, id, **facts):
        self.breaks.append({"epoch": self.epoch, "id": id, **facts})

    def on_compile_error(self, id, **error):
        self.compile(id)["error"] = error["type"]

    def on_metrics(self, id, is_forward, fail_type, graph_op_count, guard_count, specialized, **_):
        facts = self.compiles.get((self.epoch, id))
        if facts is None:
            return
        if is_forward is False:
            facts["backward"] = True
        else:
            outcome = "skipped" if graph_op_count is None else "ok"
            facts.update(graph_ops=graph_op_count, guards=guard_count, outcome=outcome)
        for symbol, value in specialized.items():
            self.symbols.setdefault((self.epoch, id, symbol), {"specialized_to": None})["specialized_to"] = value
        if fail_type:
            facts["outcome"] = "failed"
            facts["error"] = facts["error"] or fail_type
            self.failed = facts

    def on_fallback(self, id, break_type, error, function, file, line):
        """ConvertFrame gave the frame up; a hard error only where suppress_errors is on."""
        facts, self.failed = self.failed, None
        soft = break_type is not None or error["type"] == "UserError"
        if facts is not None:
            facts["outcome"] = "eager"
        if not soft:
            self.add_error(facts, error, where="forward", fate="suppressed")
        self.fallbacks.append({"id": facts and facts["id"], "function": function, "file": file, "line": line,
                               "type": break_type or error["type"]})

    def on_user_error(self, id, where, **error):
        facts, self.failed = self.failed, None
        if facts is not None:
            facts["outcome"] = "error"
        self.add_error(facts, error, where=where, fate="raised")

    def on_uncaught(self, **error):
        facts, self.failed = self.failed, None
        if facts is not None:
            facts["outcome"] = "error"
        self.add_error(facts, error, where="forward" if facts else "runtime", fate="uncaught")

    def add_error(self, facts, error, where, fate):
        self.errors.append({"id": facts and facts["id"], "type": (facts and facts["error"]) or error["type"],
                            "raised_as": error["type"], "causes": error["causes"], "message": error["message"],
                            "where": where, "fate": fate})

    def on_compiled_autograd(self, id):
        self.autograd_captures.add((self.epoch, id))

    def on_symbol(self, id, symbol, env):
        self.symbols.setdefault((self.epoch, id, symbol), {"specialized_to": None})

    def on_reset(self, phases):
        self.add_phases(phases, 1)
        self.resets += 1
        if any(epoch == self.epoch for epoch, _ in self.compiles):
            self.epoch += 1

    def on_backend_call(self):
        self.backend_calls = (self.backend_calls or 0) + 1

    def on_note(self, name, value):
        self.notes[name] = value

    def on_reset_done(self, phases):
        """What is still there would be counted again."""
        self.add_phases(phases, -1)

    def on_finish(self, phases):
        self.finished = True
        self.add_phases(phases, 1)

    def add_phases(self, phases, sign):
        for name, (count, total_s) in phases.items():
            self.phases[name] += sign * count
            self.phase_times[name] += sign * total_s

    # --- what it comes to

    def truth(self):
        self.count_breaks_per_compile()
        return {
            "pid": self.about["pid"],
            "parent": self.about["parent"],
            "rank": max(self.ranks, default=None),
            "finished": self.finished,
            "frames": len({(epoch, id.rsplit("/", 1)[0].rsplit("/", 1)[-1]) for epoch, id in self.compiles}),
            "compiles": len(self.compiles),
            "restarts": sum(max(0, facts["attempts"] - 1) for facts in self.compiles.values()),
            "graphs": sum(facts["graphs"] for facts in self.compiles.values()),
            "backend_calls": self.backend_calls,
            "graph_breaks": self.break_truth(),
            "recompiles": self.recompile_truth(),
            "recompile_limit_hits": self.limit_hits,
            "errors": self.errors,
            "fallbacks": self.fallbacks,
            "cache": self.cache_truth(),
            "symbols": self.symbol_truth(),
            "compiled_autograd_captures": len(self.autograd_captures),
            "resets": self.resets,
            "counters": self.counter_truth(),
            "phases": self.phase_truth(),
            "compile_list": [facts for _, facts in sorted(self.compiles.items(), key=lambda item: item[0][0])],
        }

    def met_breaks(self):
        """One per place and compile: a restart, or a caller that cannot handle it either, may log the same break again."""
        return list({(b["epoch"], b["id"], b["file"], b["line"]): b for b in self.breaks}.values())

    def count_breaks_per_compile(self):
        for met in self.met_breaks():
            self.compiles[met["epoch"], met["id"]]["graph_breaks"] += 1

    def break_truth(self):
        met = self.met_breaks()
        places = Counter((b["file"], b["line"], b["type"]) for b in met)
        return {
            "total": len(met),
            "logged": len(self.breaks),
            "by_type": dict(sorted(Counter(b["type"] for b in met).items())),
            "by_first_type": dict(sorted(Counter(b["first_type"] for b in met).items())),
            "places": [{"file": file, "line": line, "type": type_, "count": count}
                       for (file, line, type_), count in sorted(places.items(), key=str)],
        }

    def recompile_truth(self):
        again = [facts for facts in self.compiles.values() if int(facts["id"].rsplit("/", 1)[1]) > 0]
        return {
            "total": len(again),
            "per_function": dict(sorted(Counter(str(facts["function"]) for facts in again).items())),
            "reasons": [{"id": facts["id"], "epoch": facts["epoch"], "reasons": facts["reasons"]} for facts in again],
        }

    def counted(self, group, name):
        return self.last_counters.get(group, {}).get(name, 0) - self.inherited.get(group, {}).get(name, 0)

    def cache_truth(self):
        return {layer: {outcome: self.counted(group, prefix + outcome) for outcome in OUTCOMES}
                for layer, (group, prefix) in CACHES.items()}

    def counter_truth(self):
        """The counters that say something about frames, graphs and breaks, as PyTorch keeps them."""
        wanted = {group: self.last_counters.get(group, {}) for group in ("frames", "stats", "compiled_autograd")}
        found = {group: {name: self.counted(group, name) for name in sorted(names)} for group, names in wanted.items()}
        for group in ("graph_break", "unimplemented"):
            found[group] = sum(self.counted(group, name) for name in self.last_counters.get(group, {}))
        return found

    def phase_truth(self):
        """Inductor's many passes are left out."""
        names = sorted(name for name, count in self.phases.items() if count and not name.startswith("pass."))
        timed = {name: {"count": self.phases[name], "total_s": round(self.phase_times[name], 6)} for name in names}
        return timed if self.finished else None

    def symbol_truth(self):
        names = [symbol for _, _, symbol in self.symbols]
        return {
            "total": len(names),
            "unbacked": sum(name.startswith(("u", "zuf")) for name in names),
            "specialized": sum(facts["specialized_to"] is not None for facts in self.symbols.values()),
            "list": [{"id": id, "epoch": epoch, "symbol": symbol, **facts}
                     for (epoch, id, symbol), facts in self.symbols.items()],
        }


# --- all of them ----------------------------------------------------------------------------------------------------------


def add_counts(parts):
    """Adds numbers and dictionaries of numbers; lists are joined; None is nothing."""
    parts = [part for part in parts if part is not None]
    if not parts:
        return None
    if isinstance(parts[0], dict):
        names = sorted({name for part in parts for name in part})
        return {name: add_counts([part.get(name) for part in parts]) for name in names}
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def join_places(processes):
    counts = Counter()
    for process in processes:
        for place in process["graph_breaks"]["places"]:
            counts[place["file"], place["line"], place["type"]] += place["count"]
    return [{"file": file, "line": line, "type": type_, "count": count}
            for (file, line, type_), count in sorted(counts.items(), key=str)]


def fold(name, about, event_lists):
    """truth.json of a workload; `event_lists` holds the events of each process."""
    folded = sorted((Process(events) for events in event_lists), key=lambda process: process.about["pid"])
    processes = [process.truth() for process in folded]
    summed = ("frames", "compiles", "restarts", "graphs", "backend_calls", "graph_breaks", "recompiles",
              "recompile_limit_hits", "errors", "fallbacks", "cache", "symbols", "compiled_autograd_captures", "resets")
    first = folded[0].about
    truth = {"schema": SCHEMA, "workload": name, "about": about,
             "torch": first["torch"], "python": first["python"], "cuda": first["cuda"],
             "ranks": sorted({process["rank"] for process in processes if process["rank"] is not None})}
    truth.update({field: add_counts([process[field] for process in processes]) for field in summed})
    truth["graph_breaks"]["places"] = join_places(processes)
    truth["graph_breaks"]["distinct"] = len(truth["graph_breaks"]["places"])
    del truth["recompiles"]["reasons"], truth["symbols"]["list"]  # too long to have twice
    truth["notes"] = {name: value for process in folded for name, value in process.notes.items()}
    truth["processes"] = processes
    return truth
