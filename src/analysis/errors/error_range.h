/* error_range: the range of sizes that the guard of a violated constraint leaves. Any thread. */
#pragma once

#include "util/arena.h"

/*
 * "Dim(\"x1\", max=511)" for "- Not all values of x1 = L['x'].size()[1] in the specified range x1 <= 512 satisfy the
 * generated guard Ne(512, L['x'].size()[1])."; without a name, the marks of a tensor.
 */
struct str error_range(struct arena *a, struct str message);
