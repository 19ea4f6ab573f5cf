/*
 * selection: chooses the compiles that the page lists, and those of them with details. All of them if they fit;
 * otherwise the most useful ones, and report.json has the rest. Depends only on the trace.
 */
#pragma once

#include "view/view.h"

/* The approximate size of a compile in the table, and of its entry without details. */
#define SELECTION_ROW_BYTES 1500u

/*
 * Uses at most `budget` bytes of the page. What remains in the end goes to details of what an earlier rank did in the
 * same way, but no more than `same` bytes. Lives in the arena.
 */
struct shown_compiles *selection_make(struct arena *a, const struct run *run, const struct ranks *ranks,
                                      uint64_t budget, uint64_t same);

/* Records without a compile id are only listed if there is something to show about them. */
bool selection_wants(const struct compile *c);
