/*
 * sqlite_tables: the tables of a run in a database, as described in tables.h, with additional columns of the caller's
 * before them. One thread.
 */
#pragma once

#include "output/tables/tables.h"
#include "util/formats/database.h"

/* A table of a database, and which columns it has. */
struct sqlite_table {
    const struct table *table;
    const char *keys; /* additional first columns, such as "run INTEGER NOT NULL", or NULL */
    bool lists;       /* include columns of lists and objects, as JSON text */
};

/* Creates the table, unless it exists. False after an error. */
bool sqlite_table_make(struct database *d, const struct sqlite_table *t);

/* Creates all tables, and fills them with the facts of a run. False after an error. */
bool sqlite_tables_fill(struct database *d, struct view *v);

/* Adds a row; `keys` are the values of the additional columns, or NULL. Takes over neither. */
bool sqlite_table_add(struct database *d, const struct sqlite_table *t, json_t *keys, const json_t *row);
