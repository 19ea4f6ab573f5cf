/*
 * subject: what a text without an error is about, by its words, and things of which the cause is known. Any thread.
 */
#pragma once

#include "text/stated/prose.h"
#include "torchlog/numbers/series.h"

struct subject {
    struct str words; /* for a message: ", in a text on memory" */
    enum complaint of;
    struct str line; /* the first sentence or line with a word of the subject */
};

/* What a text is about; both are empty where there is no subject, or several. */
struct subject subject_find(struct str text);

/* Times of what Dynamo does before each call of compiled code: the cache's lookup, and bytecode. */
struct series_found subject_lookups(struct arena *a, struct str text);

/* create_block_mask takes longer than what else was measured: ", which is compiled: LINE". */
struct series_found subject_masks(struct arena *a, struct str text);

/* Random numbers of compiled code under one seed are not those of eager mode: ": SENTENCE". */
struct series_found subject_random(struct arena *a, struct str text);

/* Half precision overflows in eager mode, and not in compiled code: ": SENTENCE". */
struct series_found subject_overflow(struct arena *a, struct str text);

/* A number too small for a float's full precision, in a text in which something becomes 0: ": LINE". */
struct series_found subject_subnormal(struct arena *a, struct str text);

/* The counters of torch._dynamo.utils show very large graphs: ": 116412 calls in 18 graphs". */
struct series_found subject_traced(struct arena *a, struct str text);

/* The log of graph breaks shows graphs that the backend refused, and no break: ", below `__repr__` of `tills`". */
struct series_found subject_refused(struct arena *a, struct str text);

/* Memory by settings, most of it with autocast and the compiler together: ": LINE". */
struct series_found subject_autocast(struct arena *a, struct str text);

/*
 * Python's collector gives memory back, so objects that refer to each other held it: ": SENTENCE". Numbers show it,
 * too, that rise, and do not below a line that names `gc.collect()`.
 */
struct series_found subject_cycle(struct arena *a, struct str text);

/* A value that the code reads stays what it was when it was compiled: ": SENTENCE". */
struct series_found subject_frozen(struct arena *a, struct str text);

/* A text on a mode that sees each operator says that nothing is compiled, or that it is as slow: ": SENTENCE". */
struct series_found subject_mode(struct arena *a, struct str text);

/* ": `sell` (shop.py)" of "skipping: sell (reason: non-infra torch dispatch mode present, ..., file: /srv/shop.py)". */
struct series_found subject_skipped(struct arena *a, struct str text);

/*
 * ": function 3 as graphs 8, 12, 16" of at least three lines "Recording function 3 of graph recording id 8" that one
 * rank printed, each with another id.
 */
struct series_found subject_recorded(struct arena *a, struct str text);

/* DataParallel wraps a model that is to be compiled, and the text says that it is not: ", by a Trainer", or "". */
struct series_found subject_parallel(struct str text);

/*
 * A compiled gradient of torch.func does not use the backward of a function of autograd that the text defines:
 * ": LINE".
 */
struct series_found subject_transformed(struct arena *a, struct str text);

/*
 * Hooks of modules that do not run, or change nothing: ", added after the first call: SENTENCE", or ": SENTENCE". Those
 * that a library for several ranks adds are another matter.
 */
struct series_found subject_hooks(struct arena *a, struct str text);
