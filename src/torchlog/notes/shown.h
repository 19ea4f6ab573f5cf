/* shown: what in the compiled functions of a text's code explains what the writer complains of. Any thread. */
#pragma once

#include "text/stated/prose.h"
#include "torchlog/numbers/series.h"

/*
 * What in the code explains the complaint: "the compiled function calls backward(), ...: loss.backward()". Empty if
 * nothing does. The line that is returned is the code's.
 */
struct series_found shown_cause(struct arena *a, struct str text, enum complaint complaint);
