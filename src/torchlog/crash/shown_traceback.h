/*
 * shown_traceback: tracebacks as pytest, IPython (notebooks) and rich show them, and how they read as Python's own.
 *
 *   test_shop.py:8: in test_total                    Unsupported            Traceback (most recent call last)
 *       compiled(torch.ones(3))                      Cell In[3], line 1
 *   E   torch._dynamo.exc.Unsupported: TYPE          ----> 1 compiled(torch.ones(3))
 *   E     Explanation: ...                           Unsupported: TYPE
 *
 *
 *   ╭──── Traceback (most recent call last) ─────╮
 *   │ /x.py:9 in <module>                        │
 *   │ ❱ 9 │   net(x)                             │
 *   ╰────────────────────────────────────────────╯
 *   Unsupported: TYPE
 *
 * Any thread.
 */
#pragma once

#include "torchlog/crash/crash_block.h"
#include "util/arena.h"

bool pytest_begins(struct str line);
bool notebook_begins(struct str line);
bool boxed_begins(struct str line);
/* Where such a line begins behind something else; -1 when it does not. */
ptrdiff_t boxed_find(struct str line);
bool boxed_is_place(struct str line);
/* Whether the line is of a box that rich draws, all of whose lines are as long as the window is wide. */
bool boxed_is_part(struct str line);
/*
 * "File /x.py:12, in f(x)", "Cell In[3], line 5", "/x.ipynb Cell 6 line 2": all that is left where the header was cut
 * off.
 */
bool notebook_is_call(struct str line);

/* As crash_scan_next. */
enum crash_line pytest_next(struct crash_scan *s, struct str line);
enum crash_line notebook_next(struct crash_scan *s, struct str line);
enum crash_line boxed_next(struct crash_scan *s, struct str line);

/* Whether a line of the message is the rest of the one before it. */
bool boxed_goes_on(struct crash_scan *s, struct str line);

/* The same text as Python prints it, in the arena. */
struct str pytest_rewrite(struct arena *a, struct str text);
struct str notebook_rewrite(struct arena *a, struct str text);
struct str boxed_rewrite(struct arena *a, struct str text);
