"""Which compiles make up a trace: one function per --shape.

A shape is written rank by rank. What is compiled must not depend on a rank's own randomness, so
rank 0 decides (by how many bytes it has left) and the other ranks repeat its decisions.
"""

import json
import random

from . import logs, model, stacks, words
from .compiling import Job, Process, write_compile
from .frames import HelperFrame, OptimizerFrame, StageFrame
from .model import Variant
from .writer import Ids, Writer

# About how much a compile writes, so that a trace ends near the size that was asked for.
BYTES_PER_LAYER = 360_000       # of a stage compiled forward and backward
BYTES_PER_STAGE = 760_000       # the same without any layer: mostly configurations
BYTES_PER_HELPER = 375_000      # twice that when its backward is compiled too
BYTES_PER_PARAMETER = 57_000    # of an optimizer step, besides what a helper needs
BYTES_PER_BREAK = 60_000


class _Program:
    """Yields the jobs of a training program while there is room for them."""

    def __init__(self, rng, room):
        self.rng = rng
        self.room = room            # () -> bytes that are still to be written
        self.frame_id = 0
        self.stages = 0

    def next_frame(self):
        self.frame_id += 1
        return self.frame_id - 1

    def device(self):
        return "cpu" if self.rng.random() < 0.25 else "cuda:0"

    def callers(self, frame, depth=3):
        return tuple(stacks.user_frames(self.rng, frame, depth))

    def variant(self, batch=None):
        rng = self.rng
        return Variant(batch or rng.randrange(2, 64), rng.randrange(4, 120) * 8 + 8, None)

    def train(self):
        """Stages with recompiles and optimizer steps, small functions and breaks in between."""
        total = self.room()
        while self.room() > BYTES_PER_BREAK:
            if self.room() > BYTES_PER_STAGE + 2 * BYTES_PER_LAYER:
                yield from self.stage(total)
            yield from self.breaking(2)
            yield from self.helper(4)

    def stage(self, total):
        rng = self.rng
        # Big jobs have deep models; no stage may use up a trace that has to hold several.
        most = max(2, min(48, int(total / 10 / BYTES_PER_LAYER), int(
            (self.room() - BYTES_PER_STAGE) / BYTES_PER_LAYER)))
        self.stages += 1
        stage = model.Stage(rng, rng.randrange(max(2, most // 4), most + 1), self.device())
        frame, frame_id = StageFrame(stage), self.next_frame()
        cost = BYTES_PER_STAGE + BYTES_PER_LAYER * stage.layers
        callers, earlier = self.callers(frame), []
        variant = self.variant(rng.randrange(2, 64))
        for i in range(rng.randrange(2, 5)):
            if i and self.room() < cost:
                return
            if i == 1:
                # A new length: every other stage gets a dynamic shape, the others one more static.
                variant = Variant(variant.batch, variant.sequence + 8 * rng.randrange(1, 9),
                                  "s%d" % rng.randrange(10, 98) if self.stages % 2 else None)
            elif i:
                variant = Variant(variant.batch + rng.randrange(1, 9), variant.sequence, None)
            yield Job(frame, frame_id, variant, tuple(earlier), users=callers)
            earlier.append(variant)
            if i == 0:
                yield from self.optimizer(stage)

    def optimizer(self, stage):
        count = min(len(stage.parameters), 60,
                    (self.room() - BYTES_PER_HELPER) // BYTES_PER_PARAMETER)
        if count < 6:
            return
        frame = OptimizerFrame(self.rng, stage, stage.parameters[:count])
        yield Job(frame, self.next_frame(), self.variant(), users=self.callers(frame))

    def helper(self, most):
        """Small functions, some for inference and some for training, some from the cache."""
        rng = self.rng
        for _ in range(rng.randrange(1, most + 1)):
            if self.room() < BYTES_PER_HELPER:
                return
            training = rng.random() < 0.2 and self.room() > 2 * BYTES_PER_HELPER
            frame = HelperFrame(rng, self.device(), training)
            yield from self.recompiles(frame, 1 if training else rng.randrange(1, 4),
                                       hit=not training and rng.random() < 0.4)

    def recompiles(self, frame, times, hit):
        frame_id, callers, earlier = self.next_frame(), self.callers(frame), []
        for _ in range(times):
            if earlier and self.room() < BYTES_PER_HELPER:
                return
            variant = self.variant()
            yield Job(frame, frame_id, variant, tuple(earlier), hit=hit, users=callers)
            earlier.append(variant)

    def breaking(self, most):
        """Functions with graph breaks: a restart, then the function that resumes after it."""
        rng = self.rng
        for _ in range(rng.randrange(1, most + 1)):
            frame = HelperFrame(rng, self.device())
            kind = rng.choice(stacks.BREAKS)
            context = "call number %d in %s" % (rng.randrange(10_000), frame.function)
            callers = self.callers(frame, rng.randrange(2, 7))
            if rng.random() < 0.15:
                yield Job(frame, self.next_frame(), self.variant(), breaks=((kind, context),),
                          fails=(kind, context + ", again"), users=callers)
                continue
            yield Job(frame, self.next_frame(), self.variant(), breaks=((kind, context),),
                      empty=rng.random() < 0.5 or self.room() < BYTES_PER_HELPER, users=callers)
            if self.room() < BYTES_PER_HELPER:
                return
            rest = HelperFrame(rng, frame.device, False, "torch_dynamo_resume_in_%s_at_%d"
                               % (frame.function, frame.line + 1), frame.line, frame.file)
            yield Job(rest, self.next_frame(), self.variant(), resume=True,
                      hit=rng.random() < 0.4, users=callers)

    def graphs_broken(self):
        while self.room() > BYTES_PER_BREAK:
            yield from self.breaking(4)
            yield from self.helper(2)


# --- simple shapes: many records of one sort, as the peers' hard cases have them ---

SMALL_METRICS = ('{"compile_id": "%s", "co_name": "%s", "co_filename": "%s", "co_firstlineno": %d, '
                 '"cache_size": 0, "guard_count": %d, "graph_op_count": %d, "graph_node_count": %d, '
                 '"graph_input_count": 2, "start_time": %.6f, "entire_frame_compile_time_s": %.6f, '
                 '"backend_compile_time_s": %.6f, "restart_reasons": [], '
                 '"dynamo_time_before_restart_s": 0.0}')


def _small_metrics(writer, ids, name, file):
    noise = writer.noise
    seconds = noise.random()
    writer.record("compilation_metrics", SMALL_METRICS % (
        ids.name, name, file, noise.randrange(1, 900), noise.randrange(200), noise.randrange(90),
        noise.randrange(90), writer.now_us / 1e6, seconds, seconds / 2), ids)


def _compact_stack(writer, rng, depth, name):
    """A `stack` with short source text, so that its depth costs little room."""
    frames = [{"line": rng.randrange(1, 999), "name": "step_%d" % level,
               "filename": writer.intern("%s/deep/part_%02d.py" % (words.PROJECT, level % 50)),
               "loc": "f%d(x)" % rng.randrange(100)} for level in range(depth - 1)]
    frames.append({"line": rng.randrange(1, 999), "name": name,
                   "filename": writer.intern(words.PROJECT + "/deep/leaf.py")})
    return json.dumps(frames)


def stacks_unit(writer, rng, i):
    """A compile with a stack of 100 frames, and its metrics."""
    ids, name = Ids(i, 0), "leaf_%d" % i
    writer.record("dynamo_start", '{"stack": %s}' % _compact_stack(writer, rng, 100, name), ids)
    _small_metrics(writer, ids, name, words.PROJECT + "/deep/leaf.py")


def one_id_unit(writer, rng, i):
    """An artifact and metrics, always under the same compile id."""
    ids = Ids(0, 0)
    if i == 0:
        writer.record("dynamo_start", '{"stack": %s}' % _compact_stack(writer, rng, 4, "only"), ids)
    writer.artifact("note_%d" % i, "string", ids, "note %d: %s" % (i, words.random_name(rng, 24)))
    _small_metrics(writer, ids, "only", words.PROJECT + "/deep/leaf.py")


def records_unit(writer, rng, i):
    """One of the small records that describe a tensor; now and then a new compile."""
    compile_, k = divmod(i, 300)
    ids = Ids(compile_, 0)
    if k == 0:
        writer.record("dynamo_start", '{"stack": %s}'
                      % _compact_stack(writer, rng, 5, "small_%d" % compile_), ids)
    size = rng.randrange(1, 1 << 20)
    number, what = divmod(k, 3)
    if what == 0:
        writer.record("describe_storage", '{"id": %d, "describer_id": %d, "size": %d}'
                      % (number, compile_, size * 4), ids)
    elif what == 1:
        writer.record("describe_tensor", '{"id": %d, "ndim": 1, "dtype": "torch.float32", '
                      '"device": "device(type=\'cpu\')", "size": [%d], "is_leaf": true, "stride": '
                      '[1], "storage": %d, "describer_id": %d}' % (number, size, number, compile_),
                      ids)
    else:
        writer.record("describe_source", '{"describer_id": %d, "id": %d, "source": "L[\'x%d\']"}'
                      % (compile_, number, size), ids)


def events_unit(writer, rng, i):
    """A compile that is almost only events, nested four deep."""
    ids = Ids(i, 0)
    writer.begin("dynamo", ids)
    writer.record("dynamo_start", '{"stack": %s}'
                  % _compact_stack(writer, rng, 4, "busy_%d" % i), ids)
    writer.begin("entire_frame_compile", ids, fn_name='"_compile.compile_inner"')
    for outer in range(6):
        writer.begin("phase_%d" % outer, ids)
        for inner in range(16):
            writer.span("pass.phase_%d.step_%d" % (outer, inner), ids, 400)
        writer.end("phase_%d" % outer, ids)
    writer.end("entire_frame_compile", ids)
    _small_metrics(writer, ids, "busy_%d" % i, words.PROJECT + "/deep/leaf.py")
    writer.end("dynamo", ids)


UNITS = {"stacks": stacks_unit, "one-id": one_id_unit, "records": records_unit,
         "events": events_unit}


def _payload(writer, rng, size):
    """One payload of the wanted size, made line by line so that it is never in memory."""
    ids, seed = Ids(0, 0), rng.random()
    writer.record("dynamo_start", '{"stack": %s}' % _compact_stack(writer, rng, 6, "huge"), ids)

    def lines():
        again, written, number = random.Random(seed), 0, 0
        while written < size - 1000:
            line = "    buf%d = weave_%d(buf%d, buf%d, %d)" % (
                number, again.randrange(400), again.randrange(number + 1),
                again.randrange(number + 1), again.randrange(1 << 30))
            written += len(line) + 2
            number += 1
            yield line.encode()

    writer.huge_artifact("woven_code", "string", ids, lines)
    _small_metrics(writer, ids, "huge", words.PROJECT + "/deep/leaf.py")


TEXTS = {"logs": logs.dynamo_lines, "foreign": logs.foreign_lines}   # no traces, but text of a terminal
SHAPES = ("train", "graphs-broken", *UNITS, "payload", *TEXTS)
COUNTED = tuple(UNITS)          # shapes that --count can size exactly


def _write_simple(shape, writer, rng, size, count):
    """The shapes that need no model."""
    writer.torch_version()
    if shape == "payload":
        _payload(writer, rng, size)
        return
    i = 0
    while i < count if count else writer.bytes < size:
        UNITS[shape](writer, rng, i)
        i += 1


def _write_program(shape, writer, seed, size, plan, ranks):
    """The shapes that are made of compiles. `plan` holds the jobs of rank 0 for the other ranks."""
    process = Process(writer, random.Random("process %s" % seed), ranks > 1)
    if plan:
        for job in plan:
            write_compile(process, job)
        return
    program = _Program(random.Random("program %s" % seed), lambda: size - writer.bytes)
    for job in program.train() if shape == "train" else program.graphs_broken():
        write_compile(process, job)
        if ranks > 1:
            plan.append(job)


def write_trace(shape, paths, seed, size, count):
    """Writes a trace with one file per path; `size` bytes are shared among them."""
    plan, ranks = [], len(paths)
    if shape in TEXTS:
        for rank, path in enumerate(paths):
            logs.write_text(path, TEXTS[shape](random.Random("text %s %d" % (seed, rank))), size // ranks)
        return
    for rank, path in enumerate(paths):
        writer = Writer(path, random.Random("rank %s %d" % (seed, rank)), 4100 + 17 * rank,
                        rank if ranks > 1 else None)
        if shape in UNITS or shape == "payload":
            _write_simple(shape, writer, random.Random("program %s" % seed),
                          size // ranks if size else None, count)
        else:
            _write_program(shape, writer, seed, size // ranks, plan, ranks)
        writer.close()
