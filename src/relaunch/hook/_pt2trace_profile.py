"""torch.profiler around a whole program. Part of the hook, whose head says how it is asked for."""

import os

from _pt2trace_hook import asked, note

profile = {"running": None, "pid": 0}


def begin():
    try:
        import torch.profiler

        activities = [torch.profiler.ProfilerActivity.CPU]
        if torch.cuda.is_available():
            activities.append(torch.profiler.ProfilerActivity.CUDA)
        own = torch.profiler.profile(activities=activities, experimental_config=all_threads())
        own.start()
    except Exception as error:
        note("PT2TRACE_PROFILE: torch.profiler does not start: %s" % error)
        return
    profile.update(running=own, pid=os.getpid())
    give_way()
    import atexit

    atexit.register(end_profile)


def all_threads():
    """Only newer versions can."""
    from torch._C._profiler import _ExperimentalConfig

    try:
        return _ExperimentalConfig(profile_all_threads=True)
    except TypeError:
        return None


def give_way():
    """Only one profiler can run: the program's own comes first."""
    from torch.autograd import profiler

    prepare = profiler.profile._prepare_trace

    def _prepare_trace(self, *args, **kwargs):
        if profile["running"] is not None and profile["pid"] == os.getpid():
            note("PT2TRACE_PROFILE: ends here, because the program starts a profiler of its own")
            end_profile()
        return prepare(self, *args, **kwargs)

    profiler.profile._prepare_trace = _prepare_trace


def end_profile():
    own, profile["running"] = profile["running"], None
    if own is None or profile["pid"] != os.getpid():
        return
    name = "kineto.%d.json" % os.getpid()
    part = os.path.join(asked("PROFILE"), "." + name)
    try:
        own.stop()
        own.export_chrome_trace(part)
        os.replace(part, os.path.join(asked("PROFILE"), name))
    except Exception as error:
        note("PT2TRACE_PROFILE: %s" % error)
