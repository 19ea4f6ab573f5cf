/*
 * watch: what is new in a run that is still in progress, and what it is doing now. Facts that only hold at the end of
 * a run are not reported: that a rank is absent, that ranks differ, that a trace is cut off. Results live in the arena
 * given. One thread.
 */
#pragma once

#include "analysis/answers/answers.h"
#include "gate/snapshot.h"

/*
 * New events, in the order of their importance: finished compiles, graph breaks, recompiles, errors, and other
 * findings of at least medium severity. Objects with "event" and "key", which identifies the event for the duration of
 * the run; events whose key is in `known` are left out. A new array.
 */
json_t *watch_events(struct arena *a, const struct run *r, const struct snapshot *facts, const struct map *known);

/*
 * {"event": "state", "compiling": [...], "silent": [...], ...}: unfinished compiles, with what they are doing and for
 * how long; processes that write nothing while others do. `now_us` since 1970.
 */
json_t *watch_state(struct arena *a, const struct run *r, const struct answers *answers, int64_t now_us);

/* The key of an item of the state, for `known`. */
struct str watch_key(struct arena *a, const json_t *item, const char *what, unsigned n);

/* For people: the first line of an event; its subject; and what to do, which may be empty. */
struct str watch_line(struct arena *a, const json_t *event);
struct str watch_fix(struct arena *a, const json_t *event);
/* "[0/1] f (train.py:12), Inductor, for 3.2 s"; "rank 1 has written nothing for 70 s". */
struct str watch_compiling_line(struct arena *a, const json_t *compiling);
struct str watch_silent_line(struct arena *a, const json_t *silent);
