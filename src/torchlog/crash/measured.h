/*
 * measured: lines in which a program prints what it measured: the difference of two results, memory, times. Whoever
 * asks why compiled code is wrong or slow pastes such lines. Any thread.
 */
#pragma once

#include "util/str.h"

enum measured {
    MEASURED_NOTHING,
    MEASURED_DIFFERENCE, /* "max abs diff: 0.0013", "allclose: False" */
    MEASURED_NAN,        /* "loss nan" */
    MEASURED_MEMORY,     /* "peak memory: 6.02 GB" */
    MEASURED_TIME,       /* "eager: 0.81 ms", "2.40it/s" */
};

/* In a text that calls a clock (`timed`), a number with the digits of a difference needs no unit: "old 0.0189504". */
enum measured measured_in(struct str line, bool timed);

/* Whether the results in a text differ by no more than float32 rounds. */
bool measured_rounding(struct str text);

/* Whether a text has the program's calls of a clock. */
bool measured_times(struct str text);

/*
 * Whether a compiled function is most likely compiled again in a later call: eager mode is timed, the compiled function
 * at least twice, and not only its first call takes far longer than eager mode.
 */
bool measured_again(struct str text, bool timed);

/*
 * Whether times of one call are those of CUDA graphs: the first call compiles, the second, which takes far longer than
 * those after it, records the graph, and later ones replay it.
 */
bool measured_recording(struct str text, bool timed);
