"""What a workload may tell the observer. Run by hand, without an observer, these functions do nothing."""

import contextlib
import sys


def _observer():
    return sys.modules.get("observer")


def note(name, value):
    """A fact that only the workload knows; it ends up in truth.json under "notes"."""
    if _observer():
        _observer().log.write("note", name=name, value=value)


@contextlib.contextmanager
def expected_error(where):
    """The block must raise; `where` is forward, backward or runtime."""
    try:
        yield
    except Exception as error:
        if _observer():
            _observer().log.write("user_error", where=where, id=None, **_observer().exception(error))
        return
    raise AssertionError("the block should have raised")


def counted(backend):
    """The named backend, counting the graphs it is given: a second opinion on the number of graphs."""
    from torch._dynamo.backends.registry import lookup_backend

    compile_graph = lookup_backend(backend)

    def counting(graph, inputs):
        if _observer():
            _observer().log.write("backend_call")
        return compile_graph(graph, inputs)

    return counting


def flush():
    """For a process that is about to end by os._exit."""
    if _observer():
        _observer().finish()
