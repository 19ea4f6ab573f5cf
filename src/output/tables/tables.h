/*
 * tables: the facts of a run as rows, for databases and data frames. A table is a list of report.json, and a row has
 * the members of the item there; `table_at` lists the columns, for formats where columns need names and types. One
 * thread. tools/make-tables makes tables and columns from schema/report.schema.json; docs/columns.md shows them.
 */
#pragma once

#include "view/view.h"

struct column {
    const char *name; /* "frame_file" for the member "file" of "frame" */
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

/* Walks the tables: i from 0, NULL at the end. */
const struct table *table_at(size_t i);
/* NULL if there is no table of that name. */
const struct table *table_find(const char *name);

bool column_is_list(const struct column *c); /* a list or an object */

/* The values of a row in the order of the columns, a new array; with `lists`, including columns of type JSON. */
json_t *table_values(const struct table *t, const json_t *row, bool lists);

/*
 * Calls `each` for every row, table by table except for parts of compiles; `each` takes the row over. Kernels require
 * reading payloads: `kernels` says whether to include them.
 */
typedef void table_row(void *object, const char *table, json_t *row);
void tables_write(struct view *v, bool kernels, table_row *each, void *object);
