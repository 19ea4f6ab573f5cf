"""Python imports this module at start-up in every process that has its folder on PYTHONPATH.

It waits for `torch._dynamo` and then lets the observer in, so that a workload stays an ordinary script: no frame of ours
stands between its `<module>` and PyTorch, and its child processes are observed too.
"""

import importlib.abc
import importlib.util
import os
import sys


class AfterDynamo(importlib.abc.MetaPathFinder):
    """Runs observer.install() once `torch._dynamo` has been imported."""

    def find_spec(self, name, path=None, target=None):
        if name != "torch._dynamo":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            import observer

            observer.install(os.environ["PT2TRACE_EVENTS"])

        spec.loader.exec_module = exec_module
        return spec


if "PT2TRACE_EVENTS" in os.environ:
    sys.meta_path.insert(0, AfterDynamo())
