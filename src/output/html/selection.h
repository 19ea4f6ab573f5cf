/*
 * selection: which compiles the page lists, and which of those in detail. All of them where they fit; else the most
 * useful ones, and report.json has the rest. Depends on the trace alone.
 */
#pragma once

#include "view/view.h"

/* What a compile takes in the table and as an entry without details, about. */
#define SELECTION_ROW_BYTES 1500u

/*
 * Spends at most `budget` bytes of page; what is left in the end goes to details of what an earlier rank did, too, but
 * no more than `same` bytes. Lives in the arena.
 */
struct shown_compiles *selection_make(struct arena *a, const struct run *run, const struct ranks *ranks,
                                      uint64_t budget, uint64_t same);

/* Records without a compile id are only listed where there is something to show of them. */
bool selection_wants(const struct compile *c);
