/*
 * tables: the facts of a run as rows, for databases and data frames. A table is a list of report.json; its rows are
 * what report.json has for the items, and `table_at` says which columns they have where columns need a name and a type.
 * One thread.
 *
 * Tables and columns are made of schema/report.schema.json, by tools/make-tables; docs/columns.md shows them.
 */
#pragma once

#include "view/view.h"

struct column {
    const char *name; /* "frame_file" of the member "file" of "frame" */
    const char *path; /* "frame.file" */
    const char *type; /* TEXT, INTEGER, REAL; JSON for lists and objects */
};

struct table {
    const char *name;
    const struct column *columns;
    size_t column_count;
};

/* Written by tools/make-tables. */
extern const struct table report_tables[];
extern const size_t report_table_count;

/* Walks them: i from 0, NULL at the end. */
const struct table *table_at(size_t i);
/* NULL when there is none of that name. */
const struct table *table_find(const char *name);

bool column_is_list(const struct column *c); /* or an object */

/* The values of a row in the order of the columns, a new array; `lists` wants those of type JSON, too. */
json_t *table_values(const struct table *t, const json_t *row, bool lists);

/*
 * Calls `each` for every row, table by table where they are not of compiles; it takes the row over. Kernels need
 * payloads to be read back: `kernels` says whether they are wanted.
 */
typedef void table_row(void *object, const char *table, json_t *row);
void tables_write(struct view *v, bool kernels, table_row *each, void *object);
