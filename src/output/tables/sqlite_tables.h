/*
 * sqlite_tables: the tables of a run in a database: made as tables.h describes them, with columns of the caller's
 * before them. One thread.
 */
#pragma once

#include "output/tables/tables.h"
#include "util/formats/database.h"

/* A table for a database, and which of its columns. */
struct sqlite_table {
    const struct table *table;
    const char *keys; /* columns that come first, as "run INTEGER NOT NULL", or NULL */
    bool lists;       /* with columns of lists and objects, as texts of JSON */
};

/* Makes it, if it is not there. False after an error. */
bool sqlite_table_make(struct database *d, const struct sqlite_table *t);

/* Makes all of them, and fills them with the facts of a run. False after an error. */
bool sqlite_tables_fill(struct database *d, struct view *v);

/* Adds a row; `keys` are the values of the first columns, or NULL. Takes over neither. */
bool sqlite_table_add(struct database *d, const struct sqlite_table *t, const json_t *keys, const json_t *row);
