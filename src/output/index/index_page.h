/*
 * index_page: the page of `pt2trace index --report`: the runs of a database, how they changed from one to the next of
 * the same program, and what got worse. One thread.
 */
#pragma once

#include "output/index/index_store.h"
#include "util/system/file.h"

/*
 * What is other in runs than in those before them, newest run first: objects with "program", "run", "started", "kind",
 * "what", "was", "now", "file", "line"; of all runs, or of the newest of each program. NULL when the database cannot be
 * read.
 */
json_t *index_regressions(struct database *d, bool newest);
/* One of them for people: "model.py, 2026-11-21 08:00: graph break: ... at model.py:9 (before 0, now 2)". */
struct str index_regression_line(struct arena *a, const json_t *row);
/* Whether one of them is worse, and not only other. */
bool index_is_regression(const json_t *row);

/* Writes it. False when the database cannot be read, see database_error. */
bool index_page_write(struct sink *out, struct database *d, struct str title);
