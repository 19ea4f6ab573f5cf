/*
 * series: numbers that a program prints again and again, under the names of the backends with which it was compiled.
 * Where only one backend's numbers rise, or one takes most of the time, the stage at fault is known. Any thread.
 */
#pragma once

#include "util/arena.h"
#include "util/str.h"

struct series_found {
    struct str message; /* in the arena; empty if nothing was found */
    struct str line;    /* the first line of the numbers, a view of the text */
};

/* " with inductor: 6357 to 6387 in 10 lines; not with aot_eager": memory that rises in at least three lines. */
struct series_found series_of_memory(struct arena *a, struct str text);

/*
 * " in inductor: aot_eager 0.14, inductor 40.3": the stage that takes most of the time to compile, of lines below the
 * backends' names or of a table whose head names them. It says by which factor each step takes longer.
 */
struct series_found series_of_stages(struct arena *a, struct str text);
