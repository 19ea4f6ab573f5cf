/*
 * told: what a text without an error is about, by its words: a subject, and things of which the cause is known. Any
 * thread.
 */
#pragma once

#include "torchlog/notes/series.h"

/* What a text is about; the words are for a message: ", in a text on memory". Empty where none is told, or several. */
struct str told_subject(struct str text);

/* The sentence or line that tells most of it, at most LOOKED_AT bytes of it; empty if none has a word of the subject. */
struct str told_line(struct str text);

/* Times of what Dynamo does before each call of compiled code: the cache's lookup, and bytecode. */
struct series_found told_lookups(struct arena *a, struct str text);

/* create_block_mask takes longer than what else was measured: ", which is compiled: LINE". */
struct series_found told_masks(struct arena *a, struct str text);

/* Random numbers of compiled code under one seed are not those of eager mode: ": SENTENCE". */
struct series_found told_random(struct arena *a, struct str text);

/* Half precision overflows in eager mode, and not in compiled code: ": SENTENCE". */
struct series_found told_overflow(struct arena *a, struct str text);

/* Memory by settings, most of it with autocast and the compiler together: ": LINE". */
struct series_found told_autocast(struct arena *a, struct str text);
