"""What a Python is, and what its PyTorch knows, for `pt2trace run`: one line of JSON on standard output.

usage: python -c THIS

PyTorch is not imported, which takes seconds: version.py and the source files that say what there is are read. Where
they are not as they should be, it is imported after all. relaunch/workload/target.c reads the answer, behind its mark: programs
that run at start (a sitecustomize) may print, too.
"""

import ast
import json
import os
import platform
import sys
from importlib.util import find_spec


def parse(root, *names):
    with open(os.path.join(root, *names), encoding="utf-8") as file:
        return ast.parse(file.read())


def version(root):
    """torch/version.py is made when PyTorch is built, of assignments alone."""
    names = {}
    with open(os.path.join(root, "version.py"), encoding="utf-8") as file:
        exec(compile(file.read(), "version.py", "exec"), names)
    return {"torch": str(names["__version__"]), "cuda": names.get("cuda") or names.get("hip")}


def logs(root):
    """Names that TORCH_LOGS takes: the first arguments of register_log and register_artifact."""
    calls = [node for node in ast.walk(parse(root, "_logging", "_registrations.py")) if isinstance(node, ast.Call)]
    return sorted({call.args[0].value for call in calls if getattr(call.func, "id", "") in ("register_log", "register_artifact")
                   and call.args and isinstance(call.args[0], ast.Constant)})


def subsystems(root):
    """BACKENDS of torch/_inductor/compiler_bisector.py: what its bisector can switch off."""
    for node in parse(root, "_inductor", "compiler_bisector.py").body:
        if getattr(getattr(node, "target", node), "id", "") == "BACKENDS":
            return [[key.value, call.func.id] + [str(argument.value) for argument in call.args]
                    for key, value in zip(node.value.keys, node.value.values) for call in value.elts
                    if key.value.isidentifier() and call.args[0].value.isidentifier()]
    return []


def is_there(root, *names):
    return os.path.exists(os.path.join(root, *names))


def or_none(function, *arguments):
    try:
        return function(*arguments)
    except Exception:
        return None


def imported():
    import torch

    answer = {"torch": str(torch.__version__), "cuda": torch.version.cuda or torch.version.hip}
    try:
        from torch._logging._internal import log_registry as registry

        answer["logs"] = sorted(set(registry.log_alias_to_log_qnames) | set(registry.artifact_names))
    except Exception:
        pass
    return answer


def about_torch():
    spec = find_spec("torch")
    if spec is None or not spec.origin:
        return {"torch_failure": "it has no module torch"}
    root = os.path.dirname(spec.origin)
    answer = or_none(version, root)
    if answer is not None:
        answer["logs"] = or_none(logs, root)
    if answer is None or answer["logs"] is None:
        answer = imported()
    # TORCH_COMPILE_OVERRIDE_BACKENDS: torch/_dynamo/graph_id_filter.py since 2.12; the bisector since 2.6
    return dict(answer, override=is_there(root, "_dynamo", "graph_id_filter.py"), subsystems=or_none(subsystems, root),
                bisect=is_there(root, "_inductor", "compiler_bisector.py"))


def main():
    answer = {"version": platform.python_version(), "executable": sys.executable}
    try:
        answer.update(about_torch())
    except Exception as error:
        answer["torch_failure"] = "%s: %s" % (type(error).__name__, error)
    print("\npt2trace:" + json.dumps(answer))


main()
