/*
 * index_page: the page of `pt2trace index --report`: the runs in a database, how they changed from one to the next of
 * the same program, and what got worse. One thread.
 */
#pragma once

#include "output/index/index_store.h"
#include "util/system/file.h"

/*
 * What changed between runs, newest run first: objects with "program", "run", "started", "kind", "what", "was", "now",
 * "file", "line"; for all runs, or for the newest of each program. NULL if the database cannot be read.
 */
json_t *index_regressions(struct database *d, bool newest);
/* One of them in words: "model.py, 2026-11-21 08:00: graph break: ... at model.py:9 (before 0, now 2)". */
struct str index_regression_line(struct arena *a, const json_t *row);
/* Whether one of them is a regression, not just a change. */
bool index_is_regression(const json_t *row);

/* Writes the page. False if the database cannot be read, see database_error. */
bool index_page_write(struct sink *out, struct database *d, struct str title);
