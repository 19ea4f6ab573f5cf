/* format: numbers with units, for people. Results are in the arena given. Any thread. */
#pragma once

#include "analysis/answers/answers.h"
#include "analysis/answers/health.h"
#include "analysis/find/finding.h"

/* 812 µs, 8.1 ms, 812 ms, 63.6 s, 12 min 4 s, 2 h 3 min. Negative (unknown): "-". */
struct str format_duration_us(struct arena *a, int64_t us);
struct str format_duration_ns(struct arena *a, int64_t ns);

/* "51 %", rounded; "<1 %" for less than half a percent. `whole` is positive. */
struct str format_share(struct arena *a, int64_t part, int64_t whole);

/* 512 B, 14.7 kB, 1.2 MB: powers of 1000. */
struct str format_bytes(struct arena *a, uint64_t bytes);

/* 1,234,567 */
struct str format_count(struct arena *a, uint64_t n);

/* "3 graph breaks", "1 graph break": `one` and `many` are the nouns. */
struct str format_counted(struct arena *a, uint64_t n, const char *one, const char *many);

/* "3", "2-3": the lowest and the highest number over all ranks. */
struct str format_spread(struct arena *a, struct spread n);
/* "3 graph breaks", "2-3 graph breaks". */
struct str format_spread_counted(struct arena *a, struct spread n, const char *one, const char *many);

/* A time since 1970 (µs) as the process's local wall-clock time: "2026-11-21T08:03:25.769+01:00". */
struct str format_moment(struct arena *a, const struct process *p, int64_t epoch_us);

/* The same, easier to read: "2026-11-21 08:03:25 UTC+01:00". */
struct str format_moment_plain(struct arena *a, const struct process *p, int64_t epoch_us);

/* "b.py:12", "nn/__init__.py:3"; "" without a file. */
struct str format_place(struct arena *a, struct str file, int64_t line);

/*
 * The same, but in a library with its package, and with the function, which may be empty: many files of libraries have
 * the same name. "tills/utilities/sell.py:12, in pay".
 */
struct str format_place_in(struct arena *a, struct str file, int64_t line, struct str function);

/* The same for a file with this display name. */
struct str format_place_named(struct arena *a, struct str name, int64_t line);

/*
 * Where the text to paste goes: "Put this in train.py, before line 31 (the call, in the caller):", "A pattern to
 * adapt:". "" if there is no text.
 */
struct str format_paste_place(struct arena *a, const struct fix_paste *p);

/*
 * The name of a documentation page, from its address: ".../compile/a.common_graph_breaks.html" is "common graph
 * breaks".
 */
struct str format_page_name(struct arena *a, struct str url);

/* "verified here", "it helps", "it changes nothing", "the program fails with it": a heading for the measurement. */
struct str format_tried(const struct fix *f);

/* "1.2 s" or, for several ranks, "1.2 s on the slowest of 63 ranks"; cost_us must be known. */
struct str format_cost_time(struct arena *a, const struct finding *x);

/* "[0/1]", plus what is needed to make it unique in this run: " epoch 2", " rank 1", " pid 4711". */
struct str format_compile(struct arena *a, const struct compile *c);

/* The name of a frame: its label, its function, or the function that a resume function continues. Never empty. */
struct str format_frame(struct arena *a, const struct frame *f);

/* "8x NVIDIA H100" from PyTorch's "NVIDIA H100 : 8"; "" if there is none. */
struct str format_gpu(struct arena *a, struct str gpu);

/*
 * "all records were read", "1 damaged place and 2 warnings", "all records were read, which end during a compile"; for
 * texts, that they may be incomplete. A trace is sound if it was read as a whole and is complete.
 */
struct str format_health(struct arena *a, struct health h);
bool health_is_sound(struct health h);

/* "3 recompiles", "0 recompiles"; if 0 may mean unknown, "recompiles: not in this log". */
struct str format_known(struct arena *a, const struct counts *c, uint64_t n, const char *one, const char *many);
/* The same over all ranks: "2-3 recompiles". */
struct str format_known_spread(struct arena *a, const struct counts *c, struct spread n, const char *one,
                               const char *many);

/* The ranks of a run: "ranks 0-3, 7"; "" if none is known. */
struct str format_ranks_of(struct arena *a, const struct run *r);

/* How a trial of `pt2trace run` ended: "done", "exit 1", "signal 11", "time limit". */
struct str format_trial_end(struct arena *a, const struct trial *t);

/* "2 trace files and 1 log (3.2 MB), 512 records and 1,024 messages" */
struct str format_inputs(struct arena *a, const struct run *r);
/* "97 % of 10,412 lines understood", for logs; empty if there is none. */
struct str format_understood(struct arena *a, const struct run *r);
