#!/usr/bin/env python3
"""Which settings differ from the defaults, and which version of PyTorch wrote a trace: of the real traces in testdata.

    test_settings.py PT2TRACE SOURCE_ROOT

For each trace: what is listed as the user's is in the program's source or in the environment that tools/make-testdata gave it,
and for some everything that is listed, by hand. And with every record taken out that says the version, the version is known all
the same, by the lines of PyTorch's sources that wrote the others. Prints TAP.
"""

import gzip
import json
import pathlib
import re
import sys
import tempfile

from tap import Failed, Tap, report_of

# What tools/make-testdata sets, and which settings change by it.
GIVEN = {"TORCHINDUCTOR_COMPILE_THREADS", "TORCHINDUCTOR_FX_GRAPH_REMOTE_CACHE", "TORCHINDUCTOR_AUTOGRAD_REMOTE_CACHE",
         "TORCH_DYNAMO_AUTOMATIC_DYNAMIC_LOCAL_PGO", "TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"}
BY_GIVEN = {"torch._inductor.config.fx_graph_remote_cache", "torch._dynamo.config.automatic_dynamic_local_pgo",
            "torch._functorch.config.enable_remote_autograd_cache"}
# What an argument of torch.compile, or a function, changes.
BY_WORDS = {"torch._dynamo.config.assume_static_by_default": "dynamic", "torch._dynamo.config.automatic_dynamic_shapes": "dynamic",
            "torch._inductor.config.log_tlparse": "LOG_TLPARSE", "torch._inductor.config.triton.cudagraphs": "mode=", "torch.compiler.config.job_id": "TORCH_COMPILE_JOB_ID"}
# {trace: {setting: (value, default, who)}}: everything that is the program's own.
OWN = {
    "hello": {},
    "clean_train": {},
    "inductor_settings": {
        "torch._dynamo.config.suppress_errors": ("True", "False", "user"),
        "torch._inductor.config.cpp.enable_unsafe_math_opt_flag": ("True", "False", "user"),
        "torch._inductor.config.fallback_random": ("True", "False", "user"),
        "torch._inductor.config.nan_asserts": ("True", "False", "user"),
        "torch._inductor.config.triton.cudagraphs": ("True", "False", "options"),
    },
    "recompile_limit": {
        "torch._dynamo.config.accumulated_recompile_limit": ("2", "256", "user"),
        "torch._dynamo.config.automatic_dynamic_shapes": ("False", "True", "user"),  # dynamic=False
        "torch._dynamo.config.recompile_limit": ("3", "8", "user"),
    },
    "recompiles-2.5.1": {}, "hello-2.5.1": {}, "hello-2.6.0": {}, "hello-2.8.0": {}, "hello-2.10.0": {}, "hello-2.15.0": {},
}
# Records that say the version.
SAY_VERSION = ('"fx_graph_runnable"', '"torch_version"', "compilation_metrics")


def settings_of(report):
    return [x for x in report["configuration"]["differing"] or [] if not x["environment"]]


def unexplained(report, program):
    for x in report["configuration"]["differing"] or []:
        if x["environment"]:
            if x["name"] not in GIVEN and x["name"] not in program:
                yield f"{x['name']} = {x['value']}"
        elif x["name"].rsplit(".", 1)[1] not in program and x["name"] not in BY_GIVEN and BY_WORDS.get(x["name"], "\0") not in program:
            yield f"{x['name']} = {x['value']}, by default {x['default']}"


def own(report):
    return {x["name"]: (x["value"], x["default"], x["set_by"]) for x in settings_of(report) if x["name"] not in BY_GIVEN}


def without_version(path, target):
    """The trace without those records; their payloads go with them."""
    kept, keep = [], True
    for line in gzip.decompress(path.read_bytes()).split(b"\n"):
        if not line.startswith(b"\t"):
            keep = not any(word.encode() in line for word in SAY_VERSION)
        kept += [line] if keep else []
    target.write_bytes(b"\n".join(kept))


def shown_version(pt2trace, trace, temp):
    folder = temp / "hidden"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for path in sorted(trace.rglob("*.log.gz")):
        without_version(path, folder / path.name.removesuffix(".gz"))
    return report_of(pt2trace, temp / "out", folder)["environment"]["pytorch"]


def look_at(tap, pt2trace, programs, folder, temp):
    name = folder.name
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    program = programs[truth["workload"].split("-")[0]].read_text(encoding="utf-8")
    report = report_of(pt2trace, temp / "out", folder / "trace")
    tap.empty(f"{name}: what differs is the program's doing", list(unexplained(report, program)))
    if name in OWN:
        tap.equal(f"{name}: all that the program sets", OWN[name], own(report))
    version = re.match(r"\d+\.\d+", truth["torch"])[0]
    shown = shown_version(pt2trace, folder / "trace", temp)
    if name == "draft_export":
        tap.point(f"{name}: three places at most show the version", shown in (None, version), shown)
    else:
        tap.equal(f"{name}: the version without a record that says it", version, shown)


def main():
    pt2trace, source = sys.argv[1], pathlib.Path(sys.argv[2])
    sys.path.insert(0, str(source / "tools"))
    from maketestdata.workload import find_all
    programs = {name: workload.path for workload in find_all() for name in (workload.name, *workload.runs)}
    tap = Tap()
    with tempfile.TemporaryDirectory() as temp:
        for folder in sorted(p.parent for p in (source / "testdata").glob("*/truth.json")):
            try:
                look_at(tap, pt2trace, programs, folder, pathlib.Path(temp))
            except Failed as error:
                tap.point(f"{folder.name}: a report is written", False, error)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
