/* error_range: the range of sizes that the guard of a violated constraint leaves. Any thread. */
#pragma once

#include "util/arena.h"

/*
 * "Dim(\"x1\", max=511)" for "- Not all values of x1 = L['x'].size()[1] in the specified range x1 <= 512 satisfy the
 * generated guard Ne(512, L['x'].size()[1])."; without a name, the marks of a tensor.
 */
struct str error_range(struct arena *a, struct str message);

/* Whether the guard divides the size: only multiples satisfy it, or only other sizes. */
bool error_range_divides(struct str message);

/* Whether PyTorch suggests the range that the message rejects: "height = Dim('height', min=320, max=7680)". */
bool error_range_is_declared(struct str message, struct str suggestion);

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
