/*
 * error_words: an error in one line. Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"

/*
 * The most informative line of the message, such as the operator that could not be lowered or the first error of a
 * compiler. In the arena.
 */
struct str error_headline(struct arena *a, const struct failure *f);

enum { ERROR_WORDS_MAX = 200 }; /* bytes of a headline */

/* The line, or its first `max` bytes, with a sign that it goes on. In the arena. */
struct str error_words_shortened(struct arena *a, struct str line, size_t max);

/* The end of the line, from the words on; empty without them. */
struct str error_words_from(struct str line, struct str words);

/*
 * The operator that a lowering failed at, or that returned something else than its fake kernel,
 * "aten.embedding.default"; empty if the message names none.
 */
struct str error_target(const struct failure *f);

/* The function that failed on fake tensors, "add", "aten.view.default", "mylib.f"; empty if the message names none. */
struct str error_failed_call(const struct failure *f);

/* What stands behind such a call, "RuntimeError('...')"; empty where the text has none. */
struct str error_reason_of_call(const struct failure *f);

/* Whether the text ends within such a call, or directly behind it, before the reason. */
bool error_reason_is_cut(const struct failure *f);

/* "(s7, 8) and (4, 8, torch.float16)": the sizes and dtypes of the tensors of that call that the text shows. */
struct str error_tensors_of_call(struct arena *a, const struct failure *f);

/*
 * "torch.quantile" of `torch.quantile(x, q)` in the program's line, of a function of PyTorch that compares values of
 * its own, "aten.equal"; empty where the line itself compares or reads a value, or is not known.
 */
struct str error_reads_values(const struct error *e);

/* Whether a size that varies, "ks0", is in the line of a kernel that Triton rejects. */
bool error_refuses_size(const struct failure *f);

/*
 * How many times its limit the error of a compiled result is, of a message with both errors against float64: between
 * these two, which are the same where the message has the limit. False for any other message.
 */
bool error_rmse_beyond(const struct failure *f, double *least, double *most);

/*
 * Whether the text contains part of an exception, but neither its name nor its message; and whether it ends before
 * them.
 */
bool error_lacks_message(const struct failure *f);
bool error_is_cut_off(const struct failure *f);

/*
 * "Cond", "scan": the higher-order operator whose functions cannot be captured, for which `beside` says why; empty for
 * other failures.
 */
struct str error_operator(const struct failure *f);
