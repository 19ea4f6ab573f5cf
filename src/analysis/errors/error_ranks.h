/*
 * error_ranks: which ranks keep the others waiting in a collective (c10d's watchdog and desynchronization report), in
 * words. Any thread.
 */
#pragma once

#include "analysis/known_errors/error_step_list.h"
#include "model/model.h"

/* "rank 7 finished collective #182, but didn't join collective #183"; empty if no rank is behind. In the arena. */
struct str error_ranks_behind(struct arena *a, const struct failure *f);

/* What the ranks call, of whose collectives c10d or their numbers say that they do not match; empty. In the arena. */
struct str error_ranks_differ(struct arena *a, const struct failure *f);

/* Whether a rank is named that the others wait for. */
bool error_ranks_are_behind(const struct failure *f);

/* Whether `beside` says which ranks keep the others waiting, or call other collectives (torchlog, crash_waits). */
bool error_ranks_are_named(const struct failure *f);

/* Whether a rank's own watchdog is stuck, which other ranks may report of theirs in the same words. */
bool error_ranks_are_stuck(const struct failure *f);

/*
 * "84 collectives under way on rank 0, 103 on ranks 1, 2" of the watchdogs that are stuck, by the numbers that they
 * print; empty if they are equal. *odd: the one rank whose number all others do not have, else -1.
 */
struct str error_ranks_under_way(struct arena *a, const struct compile *const *compiles, size_t n, int *odd);

/* Where to look, for each rank that is behind or differs from the others; nothing where none is named. */
void error_ranks_add_steps(struct arena *a, const struct failure *f, struct error_steps *out);
