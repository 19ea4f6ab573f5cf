/*
 * traceback: parses Python tracebacks and stack listings:
 *
 *   File "/x.py", line 17, in f          (indented as it may be; format_list and traceback.format_exc)
 *     if x.sum() > 0: return x + 1
 *        ^^^^^^^^^^^^^^^                  (the caret line is skipped)
 *   Line: 26, Name: <module>, Filename: /x.py      (CompilationMetrics.stack_trace)
 *
 * Views point into the text that was given. Any thread.
 */
#pragma once

#include "util/vec.h"

/* One line of a stack; not yet in a stack tree. */
struct text_call {
    struct str file, function, source; /* function and source: "" if the listing has none */
    int64_t line;
};

struct text_stack {
    VEC(struct text_call) calls; /* outermost first, at most LIMIT_STACK_FRAMES */
};

/*
 * Takes the calls at the start of *text (leading blank lines are allowed) and moves *text past them. Stops at the
 * first line that does not belong to a call. Returns the number of calls, including those beyond the limit. If a
 * source spans several lines (Python 3.13), only the first one is kept; "[Previous line repeated N more times]" is
 * skipped, not expanded.
 */
size_t text_stack_take(struct arena *a, struct str *text, struct text_stack *out);

/* Puts the calls in the opposite order, for listings that begin with the innermost. */
void text_stack_reverse(struct text_stack *s);

/* Whether a line holds nothing but carets, tildes and blanks: the marks below a line of code. */
bool traceback_is_carets(struct str line);

/* Which thread of a faulthandler dump: the one that crashed or received the signal, or the main thread. */
enum fault_thread { FAULT_CURRENT_THREAD, FAULT_MAIN_THREAD };

/* `File "X line N, in F`: the quote behind a long path was lost with what stood before it. The line is trimmed. */
bool text_call_is_damaged(struct str line);

/* One line of it: `  File "/x.py", line 3 in f`; false if it is not one. */
bool text_call_parse_fault(struct str line, struct text_call *out);

/* The calls of that thread. Empty if the text does not say which thread it is. */
void text_fault_stack(struct arena *a, struct str text, enum fault_thread which, struct text_stack *out);

/* One item of CompilationMetrics.stack_trace; false if it is not one. */
bool text_call_parse_metrics(struct str item, struct text_call *out);

/*
 * An exception's message without what PyTorch appends (torch/_dynamo/exc.py, augment_exc_message): "from user code:"
 * with its stack, "Set TORCHDYNAMO_VERBOSE=1 ...", the minifier's lines. The user's stack is added to *user_calls;
 * without "from user code:", it is the stack under "User stack:" or "Found from :", which stays in the message.
 */
struct str exception_message_take(struct arena *a, struct str text, struct text_stack *user_calls);

/*
 * A whole traceback, as in the dynamo_error artifact or on a terminal. `type` is the type of the last exception
 * without its module ("Unsupported" for "torch._dynamo.exc.Unsupported: ..."), and `message` all text after it,
 * without PyTorch's trailer. An exception group is treated as text: its members are part of the message.
 */
struct traceback {
    struct text_stack calls;      /* of the last exception */
    struct text_stack user_calls; /* see exception_message_take; may be empty */
    struct str module, type, message;
    bool of_dynamo;                       /* the message had Dynamo's trailer */
    unsigned causes;                      /* number of exceptions before it in the chain */
    struct str first_type, first_message; /* of the first exception in the chain: the root cause */
};

/* False if the text has no traceback. */
bool traceback_parse(struct arena *a, struct str text, struct traceback *out);

/*
 * Takes the next exception off *text, the first one of a chain; *text is then what follows the link ("The above
 * exception was the direct cause of ..."). first_type, first_message and causes stay empty. False if no traceback is
 * left.
 */
bool traceback_take(struct arena *a, struct str *text, struct traceback *out);
