"""Text of a terminal: what a training program prints under TORCH_LOGS=+dynamo, and text that has nothing of PyTorch's."""

FOREIGN = 0.25  # of a program's output that is not PyTorch's

PLACES = ("torch/_dynamo/symbolic_convert.py:%d", "torch/_dynamo/variables/builder.py:%d",
          "torch/_dynamo/output_graph.py:%d", "torch/fx/experimental/symbolic_shapes.py:%d")
OPCODES = ("LOAD_FAST", "LOAD_GLOBAL", "LOAD_ATTR", "CALL", "STORE_FAST", "BINARY_OP", "RETURN_VALUE")
WORDS = "step loss accuracy rank epoch samples per second learning rate gradient norm saved checkpoint to".split()


def foreign_line(rng):
    """As a logger of the program, or the program itself, prints it."""
    if rng.random() < 0.5:
        return "2026-11-21 08:%02d:%02d,%03d INFO train.py:%d: %s %.4f" % (
            rng.randrange(60), rng.randrange(60), rng.randrange(1000), rng.randrange(400),
            " ".join(rng.choices(WORDS, k=rng.randrange(3, 12))), rng.random())
    return " ".join(rng.choices(WORDS, k=rng.randrange(1, 20)))


class _Console:
    """Lines of one process whose clock goes on."""

    def __init__(self, rng, pid):
        self.rng, self.pid, self.now = rng, pid, 8 * 3600 * 10**6

    def message(self, level, artifact, id_, *lines):
        rng = self.rng
        self.now += rng.randrange(1000, 900000)
        seconds, part = divmod(self.now % (86400 * 10**6), 10**6)
        prefix = "%s1121 %02d:%02d:%02d.%06d %d %s] [%s] %s" % (
            level, seconds // 3600, seconds // 60 % 60, seconds % 60, part // 1000 * 1000, self.pid,
            rng.choice(PLACES) % rng.randrange(100, 6000), id_, "[__%s] " % artifact if artifact else "")
        return [prefix + line for line in lines]

    def compile(self, frame, number, file, line):
        """What +dynamo says of one compile."""
        rng, id_ = self.rng, "%d/%d" % (frame, number)
        yield from self.message("V", "", id_, "torchdynamo start compiling f%d %s:%d, stack (elided 4 frames):" % (
            frame, file, line), '  File "%s", line %d, in <module>' % (file, line + 100), "    main()", "")
        yield from self.message("I", "", id_, "Step 1: torchdynamo start tracing f%d %s:%d" % (frame, file, line))
        for _ in range(rng.randrange(40, 400)):
            yield from self.message("V", "trace_source", id_, "TRACE starts_line %s:%d in f%d (f%d)" % (
                file, line + rng.randrange(40), frame, frame), "    y = layer%d(x)" % rng.randrange(100))
            for _ in range(rng.randrange(2, 9)):
                yield from self.message("V", "trace_bytecode", id_, "TRACE %s %s [%s]" % (
                    rng.choice(OPCODES), rng.choice(WORDS), ", ".join(["LazyVariableTracker()"] * rng.randrange(4))))
            if rng.random() < FOREIGN:
                yield foreign_line(rng)
        yield from self.message("V", "guards", id_, "GUARDS:", "", "TREE_GUARD_MANAGER:", "+- RootGuardManager", *(
            "| +- GuardManager: source=L['x%d'], accessed_by=DictGetItemGuardAccessor(x%d)" % (i, i)
            for i in range(rng.randrange(2, 60))))
        yield from self.message("I", "", id_, "Step 1: torchdynamo done tracing f%d (RETURN_VALUE)" % frame)


def dynamo_lines(rng):
    """Endless: frames that are compiled one to four times each."""
    console, frame = _Console(rng, 19898), 0
    while True:
        file, line = "/home/user/work/model%d.py" % (frame % 7), rng.randrange(1, 900)
        for number in range(rng.choice((1, 1, 1, 2, 4))):
            if number:
                yield from console.message("V", "recompiles", "%d/%d" % (frame, number), "Recompiling function f%d in %s:%d" % (
                    frame, file, line), "    triggered by the following guard failure(s):",
                    "    - %d/%d: tensor 'x' size mismatch at index 0. expected %d, actual %d" % (
                        frame, number - 1, number + 2, number + 3))
            yield from console.compile(frame, number, file, line)
        frame += 1


def foreign_lines(rng):
    while True:
        yield foreign_line(rng)


def write_text(path, lines, size):
    """Whole lines until `size` bytes are reached."""
    with open(path, "w", encoding="ascii") as file:
        left = size
        for line in lines:
            left -= file.write(line + "\n")
            if left <= 0:
                return
