/*
 * crash_lines: single lines of tracebacks by their words. Private to the readers of crashes: crash_begin.c,
 * crash_scan.c, crash_text.c. `text` is a line without the blanks around it. Any thread.
 */
#pragma once

#include "util/str.h"

/* Columns of blanks and tabs before a line. */
size_t crash_indent(struct str line);
enum { CALL_INDENT = 2 }; /* of the lines of a traceback that begin with "File" */

/* "Traceback (most recent call last):", also of an exception group. */
bool crash_is_header(struct str text);
/* The header of an exception of a worker of a DataLoader, which is raised again. */
bool crash_is_original_header(struct str text);
/* What Python puts before the traceback of an exception that does not end the program. */
bool crash_is_head(struct str text);
/* What c10 logs as an error, or as a lack of memory. */
bool crash_is_logged(struct str line);
/* `File "/x.py", line 3, in f`. */
bool crash_is_call(struct str text);
/* "The above exception was the direct cause of the following exception:" and its like. */
bool crash_is_link(struct str text);
/* What torch/_dynamo/exc.py puts behind a message as its last words: "Set TORCHDYNAMO_VERBOSE=1 ...". */
bool crash_is_trailer(struct str text);
/* A line that can be nothing but a part of a message of PyTorch's: "from user code:". */
bool crash_is_message(struct str text);
/* Such a line, or a trailer, that nobody else writes: it is of a message even where the rest of that is missing. */
bool crash_stands_alone(struct str text);
/* How these lines begin, one after the other; empty behind the last. */
struct str crash_lone_words(size_t i);
/* The same of lines that mean so only directly behind another line of the message. */
bool crash_goes_on(struct str text);
/* Behind it, a traceback is part of the message: of a subprocess, of a worker. */
bool crash_announces(struct str text);
/* Whether a message ends where the exception of a worker or a backend would follow. */
bool crash_lacks_cause(struct str message);
/* Of the table of torchrun. */
bool crash_is_table(struct str text);
/* What UCX prints of a process that dies: "[host:42 :0:42] Caught signal 11 (...)", "==== backtrace (tid: 42) ====". */
bool crash_is_caught_signal(struct str text);
bool crash_is_native_backtrace(struct str text);
/* What a person puts in the place of lines that were cut out: "...", "[...]", "<snip>", "... 40 lines omitted ...". */
bool crash_is_elision(struct str text);

/* The same between the calls of a traceback, in any words: "... (stack of the workers) ...", "20 more calls ...". */
bool crash_is_elision_in_stack(struct str text);
/* How much of a line is a bar of tqdm, behind which anything may be printed without an end of line; 0 for none. */
size_t crash_bar_length(struct str line);

/* Code in a traceback of IPython: "    342     "words"", "--> 351 raise error": what it says did not happen. */
bool crash_is_shown_code(struct str line);
