/*
 * shown: Python code that stands in a text: its lines, which functions of it are compiled, and what in them explains
 * what the writer complains of. Any thread.
 */
#pragma once

#include "text/stated/prose.h"
#include "torchlog/numbers/series.h"

/* The number of blanks and tabs before a line. */
size_t shown_indent(struct str line);

/* The lines behind a head that are indented more than the head's `indent`; `*behind` begins below them. */
struct str shown_body(struct str rest, size_t indent, struct str *behind);

/* "till" of "def till(x):"; empty for any other line. */
struct str shown_defined(struct str bare);

/* The number of passes of "for _ in range(10):"; 0 for any other line. */
uint64_t shown_passes(struct str bare);

/*
 * What in the code explains the complaint: "the compiled function calls backward(), ...: loss.backward()". Empty if
 * nothing does. The line that is returned is the code's.
 */
struct series_found shown_cause(struct arena *a, struct str text, enum complaint complaint);
