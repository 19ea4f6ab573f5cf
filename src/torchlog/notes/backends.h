/*
 * backends: results that a text lists by backend, in lines or in a table: numbers, tensors, or words such as "raises".
 * Any thread.
 */
#pragma once

#include "text/stated/prose.h"
#include "torchlog/numbers/series.h"

/* What the listed results show; one of them is not empty, or none is. */
struct backends_found {
    struct series_found wrong;  /* " with inductor, and right with aot_eager: 8 where eager mode has 4: twice as ..." */
    struct series_found fails;  /* " with inductor, and not with aot_eager: `raises KeyError`" */
    struct series_found check;  /* ": `assert ok`, without effect with inductor, and kept with aot_eager" */
    struct series_found chosen; /* ", `random.random()`: 3.01 in 5 calls, and 4 other results in eager mode" */
};

/* Of times and of memory nothing is found. */
struct backends_found backends_compare(struct arena *a, struct str text, const struct prose *prose);

/* ": `assert ok`", of which a sentence says that it does nothing when it is compiled; empty if none does. */
struct series_found backends_lost_check(struct arena *a, struct str text);

/* ": `Till.apply(x, x)`", a call with one tensor twice, in a text in which a gradient is half of eager mode's. */
struct series_found backends_applied_twice(struct arena *a, struct str text, const struct backends_found *found);
