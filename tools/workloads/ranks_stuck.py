"""Four ranks that hang, with the dumps of their Flight Recorders: rank 2 leaves a loop one step early and waits for rank 3."""

import json
import os
import pathlib
import pickle
import threading
import time

import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as fc

RUN = {"ranks": 4, "env": {"TORCH_FR_BUFFER_SIZE": "100"}}

STUCK_IN = 6  # the collective, counted from 1, in which each rank waits for another


@torch.compile
def step(x):
    mean = fc.all_reduce(x * 2, "sum", dist.group.WORLD) / 4
    return fc.all_gather_tensor(mean, 0, dist.group.WORLD)


@torch.compile
def last(x):
    return fc.all_reduce(x + 1, "max", dist.group.WORLD) * 3


def called():
    """How many collectives this rank has called."""
    return len(json.loads(torch._C._distributed_c10d._dump_fr_trace_json()).get("entries", []))


def dump(rank):
    """As a watchdog does once a collective timed out. Odd ranks write what others make of the pickle, which has stacks."""
    while called() < STUCK_IN:
        time.sleep(0.1)
    time.sleep(2)
    facts = torch._C._distributed_c10d
    text = json.dumps(pickle.loads(facts._dump_fr_trace())) if rank % 2 else facts._dump_fr_trace_json().decode()
    (folder / f"flight_recorder_rank_{rank}.json").write_text(text)
    while len(list(folder.glob("flight_*"))) < 4:
        time.sleep(0.1)
    os._exit(0)


folder = pathlib.Path(os.environ["TORCH_TRACE"])
dist.init_process_group("gloo")
rank = dist.get_rank()
pair = dist.new_group([2, 3])
threading.Thread(target=dump, args=(rank,), daemon=True).start()
for _ in range(2):
    step(torch.ones(4))
dist.all_reduce(torch.ones(6))
if rank != 2:
    last(torch.ones(16))
dist.all_reduce(torch.ones(2), group=pair)
