/*
 * break_text: the message PyTorch writes about a graph break, in the wordings of 2.4 to 2.13: the payload of
 * dynamo_graph_break_reason, the text of TORCH_LOGS=graph_breaks, and the message of an Unsupported exception.
 *
 *   Graph break in user code at FILE:LINE                          2.6 and later
 *   Graph Break Reason: [Encountered graph break when ...:\n\n]TYPE     ("Reason: " in 2.6 and 2.7)
 *     Higher Order Operator: NAME
 *     Explanation: ...        (continued lines are indented)
 *     Hint: ...               (any number)
 *
 *     Developer debug context: ...
 *
 *    For more details about this graph break, please visit: https://.../gb/gb0025.html
 *
 *   *** While handling this graph break, another graph break occurred: ***      and the other's message
 *
 *   User code traceback:
 *     File "...", line N, in F
 *
 * Source: torch/_dynamo/exc.py (format_graph_break_message), torch/_dynamo/symbolic_convert.py (log_graph_break) and,
 * for a break that makes Dynamo skip the frame, torch/_dynamo/convert_frame.py. Views point into the text. Any thread.
 */
#pragma once

#include "text/python/traceback.h"

struct break_text {
    struct str file; /* of "Graph break in user code at"; empty when the text has no such line */
    int64_t line;
    struct str message;     /* the whole message, from the type to the end, trimmed */
    struct str type;        /* its first line, without what was being attempted */
    struct str then_type;   /* of the break that came up while this was handled ("graph break in loop"); often empty */
    struct str attempted;   /* "CALL: a function call, e.g. f(x, y)" that Dynamo was "attempting to trace" */
    struct str hop;         /* the higher order operator it happened in */
    struct str explanation; /* with its continuation lines, as written, trimmed */
    struct str context;
    struct str url;   /* only https:// */
    struct str gb_id; /* "GB0025" by the url, or else by the type; static or in the arena; may be empty */
    VEC(struct str) hints;
    struct text_stack user_stack;
    bool skipped_frame; /* the frame runs eagerly: "results in a skip", "Skipping the function" */
    bool suppressed;    /* a duplicate: the text leaves the stack out */
};

/*
 * Fills what it finds; a text in a form that is not known gives type = its first line. A text that has only a
 * traceback (2.5 and earlier, "WON'T CONVERT") gives the message of an Unsupported, or "TYPE: message" of another
 * exception with TYPE as the type. Never fails.
 */
void break_text_parse(struct arena *a, struct str text, struct break_text *out);

/* As above for the bare message (an exception's, a restart reason's), which has neither head nor traceback. */
void break_message_parse(struct arena *a, struct str message, struct break_text *out);

/*
 * The operator without a fake kernel, "shop.tax.default", that an exception in the text names; another message calls it
 * "shop::tax". Empty when the text has neither.
 */
struct str break_unsupported_operator(struct arena *a, struct str text);
