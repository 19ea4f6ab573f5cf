/*
 * break_text: parses PyTorch's message about a graph break, in the wordings of 2.4 to 2.13: the payload of
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

/* How the first line of a message ends whose stack and reason follow. */
#define BREAK_TEXT_AT " from user code at:"
/* The same in 2.0: the first call stands in the line. */
#define BREAK_TEXT_CALL " from user code at   File \""

struct break_text {
    struct str file; /* of "Graph break in user code at"; empty if the text has no such line */
    int64_t line;
    struct str message;     /* the whole message, from the type to the end, trimmed */
    struct str type;        /* its first line, without the sentence about what was attempted */
    /* the type of a break that occurred while this one was handled ("graph break in loop"); often empty */
    struct str then_type;
    struct str attempted;   /* "CALL: a function call, e.g. f(x, y)", which Dynamo was "attempting to trace" */
    struct str hop;         /* the higher order operator in which it occurred */
    struct str explanation; /* with its continuation lines, as written, trimmed */
    struct str context;
    struct str url;   /* only https:// */
    struct str gb_id; /* "GB0025", by the url or else by the type; static or in the arena; may be empty */
    VEC(struct str) hints;
    struct text_stack user_stack;
    bool skipped_frame; /* the frame runs eagerly: "results in a skip", "Skipping the function" */
    bool suppressed;    /* a duplicate: the text has no stack */
};

/*
 * Fills what it finds; for a text in an unknown form, type is its first line. For a text with only a traceback (2.5
 * and earlier, "WON'T CONVERT"), message is the message of the Unsupported, or "TYPE: message" of another exception,
 * with TYPE as the type. Never fails.
 */
void break_text_parse(struct arena *a, struct str text, struct break_text *out);

/* The same for a bare message (an exception's, a restart reason's), which has neither heading nor traceback. */
void break_message_parse(struct arena *a, struct str message, struct break_text *out);

/*
 * The operator without a fake kernel, "shop.tax.default", that an exception in the text names; other messages call it
 * "shop::tax". Empty if the text has neither.
 */
struct str break_unsupported_operator(struct arena *a, struct str text);
