/*
 * autotune_text: what the autotuner prints of the operators that it times (torch/_inductor/select_algorithm.py):
 *
 *   AUTOTUNE mm(8x8, 8x8)
 *     mm 0.0071 ms 100.0%
 *   SingleProcess AUTOTUNE benchmarking takes 2.5 seconds and 0.5 seconds precompiling for 9 choices
 *
 * Any thread.
 */
#pragma once

#include "util/arena.h"

/* "2.5 seconds and ..." of a line that says how long it took (2.0: "SubProcess AUTOTUNE takes"); empty of others. */
struct str autotune_text_takes(struct str line);

/*
 * How long it took, in one line: PyTorch's own words and the fastest kernel for one operator; for several the sum, and
 * those that took longest. Empty if the text does not say. In the arena.
 */
struct str autotune_text_summary(struct arena *a, struct str text);

/*
 * Which kernels were the fastest, of the first operators whose tables are in the text, with the next one:
 * "mm(8x8, 8x8): mm 0.0071 ms, then triton_mm_3 0.0081 ms". Empty if there is no table. In the arena.
 */
struct str autotune_text_chosen(struct arena *a, struct str text);

/* The choice that was measured as zero or below, with that time: "triton_mm_4 -0.0199 ms"; empty if there is none. */
struct str autotune_text_no_time(struct arena *a, struct str text);
