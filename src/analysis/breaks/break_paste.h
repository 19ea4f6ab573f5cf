/*
 * break_paste: advice against a graph break that depends on the message, on the line of code or on the version:
 * settings of Dynamo, and names to fill in. The functions are in break_paste.c, those for values of tensors in
 * break_values.c. Private to break_fix.c. Any thread.
 */
#pragma once

#include "analysis/breaks/break_advice.h"

/* The kind of a read of a tensor's value: the line may use it in a way that needs the number itself. */
enum break_kind break_item_kind(const struct break_words *w);

/* Whether the line itself reads a tensor's value: ".item(", "float(". */
bool break_reads_value(struct str source);

/*
 * "self.peak" of `self.peak = max(self.peak, x.max().item())`, "total" of `total += x.sum().item()`: where the line
 * keeps what it computes from the value that is there and from the one it reads. Empty for other lines, and for int().
 */
struct str break_kept_in(struct str source);

/*
 * The line is in a function that the compiled one calls, and the version is earlier than 2.8: with
 * reorderable_logging_functions the call fails, at any such line of the program.
 */
bool break_spoils_reorder(const struct break_words *w);

/* Replaces that setting, if it is the text to paste, by a guard around the call. */
void break_avoid_reorder(struct arena *a, struct break_fix *fix);

/* Of a partial, where Dynamo needs a function; of a question for inference mode. No other break is changed. */
void break_say_partial(struct arena *a, const struct break_words *w, struct break_fix *out);
void break_say_inference(const struct break_words *w, struct break_fix *out);

/* Sets `fix`, `paste` and `is_setting`, and also `what` if the row has no title. */
typedef void break_paste_fn(struct arena *a, const struct break_words *w, struct break_fix *out);

break_paste_fn break_paste_print;
break_paste_fn break_paste_warning;
break_paste_fn break_paste_logger;
break_paste_fn break_paste_output;
break_paste_fn break_paste_random;
break_paste_fn break_paste_library;
break_paste_fn break_paste_skipped;
break_paste_fn break_paste_custom_op;
break_paste_fn break_paste_branch;
break_paste_fn break_paste_side_effect;
break_paste_fn break_paste_assert;
break_paste_fn break_paste_not_finite;
break_paste_fn break_paste_item;
break_paste_fn break_paste_operator;
break_paste_fn break_paste_index;
break_paste_fn break_paste_shape;
break_paste_fn break_paste_sparse;
break_paste_fn break_paste_no_meta;
break_paste_fn break_paste_backward;
break_paste_fn break_paste_autograd_function;
break_paste_fn break_paste_exception;
break_paste_fn break_paste_rnn;
break_paste_fn break_paste_fake_kernel;
break_paste_fn break_paste_backend;
break_paste_fn break_paste_invalid;
break_paste_fn break_paste_uncalled;
break_paste_fn break_paste_tensor_class;

/* The method of a tensor that is an operand of what Dynamo names here, because it is not called; empty for others. */
struct str break_uncalled_method(struct str words);

/* "Params4bit" of a break at a tensor's method on such an object: most likely a subclass of a tensor; else empty. */
struct str break_tensor_class(struct str words);
