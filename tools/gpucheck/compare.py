"""Two records of the same work, as the gpu section of two reports has them."""


def kernels(report):
    """{short name: (calls, median in µs)} of a report's kernels; of several of one name the one that took longest."""
    found = {}
    for activity in (report["gpu"] or {"activities": []})["activities"]:
        if activity["kind"] == "kernel" and activity["short"] not in found:
            found[activity["short"]] = (activity["calls"], activity["median_us"])
    return found


def compare(recorded, profiled):
    """
    How far apart two reports are: {"recorded_us", "profiled_us", "difference", "missing"}. Each kernel counts with the calls
    that the profiler saw and the median of either, as one of them may have seen more steps. `missing` is the share of the
    profiler's time in kernels that the other lacks.
    """
    ours, theirs = kernels(recorded), kernels(profiled)
    both = [name for name in theirs if name in ours]
    recorded_us = sum(theirs[name][0] * ours[name][1] for name in both)
    profiled_us = sum(theirs[name][0] * theirs[name][1] for name in both)
    all_us = sum(calls * median for calls, median in theirs.values())
    return {"recorded_us": recorded_us, "profiled_us": profiled_us,
            "difference": abs(recorded_us - profiled_us) / profiled_us if profiled_us else 1.0,
            "missing": 1 - profiled_us / all_us if all_us else 1.0}
