/*
 * explain_text: parses what torch._dynamo.explain(f)(x) prints.
 *
 *   Graph Count: 3                                              2.1 and later (torch/_dynamo/backends/debugging.py)
 *   Graph Break Count: 2
 *   Op Count: 5
 *   Break Reasons:
 *     Break Reason 1:
 *       Reason: TYPE                                            a break's message; its further lines begin anywhere
 *       User Stack:
 *         <FrameSummary file /x.py, line 5 in f>
 *   Ops per Graph: ... Out Guards: ... Compile Times: ...       the last is a text of its own, see times_text.h
 *
 *   Dynamo produced 3 graphs with 2 graph break and 5 ops       2.0: explanation, explanation_verbose
 *    Break reasons:
 *
 *   1. TYPE
 *     File "/x.py", line 5, in f
 *       print("woo")
 *
 * Views point into the text. Any thread.
 */
#pragma once

#include "text/python/traceback.h"

struct explain_break {
    struct str message; /* for break_message_parse */
    struct text_stack stack;
    uint64_t counted; /* in a table or a Counter; 0 elsewhere */
};

struct explain_text {
    uint64_t graphs, counted; /* how many graphs and graph breaks there were; the list below may be shorter */
    VEC(struct explain_break) breaks;
};

/*
 * The counts that a line gives, in one of these texts or behind the name of an attribute that a program prints:
 * "graph_break_count: 2", "explanation.graph_break_count=2", "Graph breaks: 2". A count that the line lacks is left as
 * it is. False if it has none.
 */
bool explain_counts_take(struct str line, uint64_t *graphs, uint64_t *breaks);

/* False if the text does not begin like one of these. */
bool explain_text_parse(struct arena *a, struct str text, struct explain_text *out);

/*
 * The list explanation.break_reasons, which programs print inside lines of their own, or with pprint over several
 * lines. Tutorials print only the strings.
 *
 *   [GraphCompileReason(reason='TYPE', user_stack=[<FrameSummary file /x.py, line 5 in f>], graph_break=True)]
 *   Break reasons: ['TYPE', ...]
 *   {'graph_break': Counter({'TYPE': 2, ...})}          torch._dynamo.utils.counters
 *   graph_break [('TYPE', 2), ...]                      the same as tests of PyTorch print it
 *   reason='TYPE', user_stack=[<FrameSummary ...>]
 *
 * Returns where the first one begins in a line; -1 if it has none.
 */
ptrdiff_t explain_reasons_find(struct str line);
/* Adds the reasons that are breaks. */
void explain_reasons_parse(struct arena *a, struct str text, struct explain_text *out);

/* Whether a line, with or without indentation, still belongs to the text. *state is 0 at the first line. */
bool explain_text_goes_on(unsigned *state, struct str line);
