/* error_range: the range of sizes that the guard of a violated constraint leaves, and what to do. Any thread. */
#pragma once

#include "analysis/known_errors/error_step_list.h"

/*
 * Whether PyTorch's own compilers ask for the value ("Caused by: (_inductor/output_code.py:141 in f)"), of a size that
 * another line of the program made than the one that is shown, such as `loss.backward()`.
 */
bool error_is_asked_by_compiler(struct str message);

/*
 * How many elements ExecuTorch got, and how many its program takes, of "Attempted to resize a bounded tensor with
 * capacity of A elements to B elements": old versions print B before A, and the larger is what it got. In the arena;
 * empty for any other message.
 */
struct str error_range_of_tensor(struct arena *a, struct str message);

/* Whether the size stays dynamic, in a smaller range than its mark asks for. */
bool error_range_is_too_wide(const struct error *e);

/* The marks of such a size, of the message of that version, which may be empty. */
void error_range_say(struct arena *a, struct str message, struct str version, struct error_steps *out);

/* What the message suggests below "Suggested fixes:", or needs instead. */
void error_range_say_suggested(struct arena *a, struct str message, struct error_steps *out);
