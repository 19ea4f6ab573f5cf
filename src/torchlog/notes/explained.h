/*
 * explained: what torch._dynamo.explain() counts, in a text that has its numbers, and not its list of reasons. Any
 * thread.
 */
#pragma once

#include "torchlog/numbers/series.h"

/*
 * ": 41 breaks, 42 graphs, by `.item()`: LINE": the reason is the one that the text names where it speaks of breaks, or
 * else the code of the text has, and the line is of that code.
 */
struct series_found explained_breaks(struct arena *a, struct str text);
