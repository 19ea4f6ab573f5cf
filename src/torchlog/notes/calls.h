/*
 * calls: what a text's code and sentences say of calls of compiled code: that modules are compiled, where no line names
 * torch.compile, and that a clock runs while the first call compiles. Any thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/* The first line that compiles modules of PyTorch by other words: "block.compile()", "we compile each layer". */
struct str calls_named(struct str text);

/*
 * ": 10 calls, of which the first compiles: for _ in range(10):": a clock that is read around a loop of few calls of
 * what was compiled, with no call of it before.
 */
struct series_found calls_timed_cold(struct arena *a, struct str text);
