/*
 * watch: what is new in a run that is still going on, against what was said of it before, and what it is doing now. Of
 * what only holds at its end nothing is said: that a rank is absent, that ranks differ, that a trace is cut off.
 * Results live in the arena given. One thread.
 */
#pragma once

#include "analysis/answers/answers.h"
#include "gate/snapshot.h"

/*
 * New events, in the order in which they matter to whoever watches: compiles that ended, graph breaks, recompiles,
 * errors, other findings from medium on. Objects with "event" and "key", which names it as long as the run goes on;
 * those whose key is in `known` are left out. A new array.
 */
json_t *watch_events(struct arena *a, const struct run *r, const struct snapshot *facts, const struct map *known);

/*
 * {"event": "state", "compiling": [...], "silent": [...], ...}: compiles without an end, with what they do and for how
 * long; processes that write nothing while others do. `now_us` since the epoch.
 */
json_t *watch_state(struct arena *a, const struct run *r, const struct answers *answers, int64_t now_us);

/* A name for what was said of an item of the state, for `known`. */
struct str watch_key(struct arena *a, const json_t *item, const char *what, unsigned n);

/* For people: the first line of an event, what it is about; and what to do, which may be empty. */
struct str watch_line(struct arena *a, const json_t *event);
struct str watch_fix(struct arena *a, const json_t *event);
/* "[0/1] f (train.py:12), Inductor, for 3.2 s"; "rank 1 has written nothing for 70 s". */
struct str watch_compiling_line(struct arena *a, const json_t *compiling);
struct str watch_silent_line(struct arena *a, const json_t *silent);
