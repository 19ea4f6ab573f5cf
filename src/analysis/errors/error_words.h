/*
 * error_words: an error in one line. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"

/*
 * The line of the message that says most of it, as the operator that could not be lowered or the first error of a
 * compiler. In the arena.
 */
struct str error_headline(struct arena *a, const struct failure *f);

/* The operator that a lowering failed at, "aten.embedding.default"; empty when the message names none. */
struct str error_target(const struct failure *f);

/* What it is, the exception, and its headline. Code is in `backticks`. In the arena. */
struct str error_title(struct arena *a, const struct error *e);

/* Whether the text has part of an exception, and neither its name nor its message; and whether it ends above them. */
bool error_lacks_message(const struct failure *f);
bool error_is_cut_off(const struct failure *f);

/* What a graph break, or a value that cannot be guarded, made fail that asked for one graph. */
struct str error_forbids_break(const struct failure *f);

/* Whether a recompile was needed where the program forbids any: not one too many. */
bool error_forbids_recompile(const struct failure *f);
