/*
 * database: a file of SQL tables, with JSON values in and out. A thin layer over SQLite; without it no file can be
 * opened, and the error says so. One thread per database.
 */
#pragma once

#include "util/arena.h"

#include <jansson.h>

struct database;

/* Opens a file, which is made when it is not there. NULL, with *error set in the arena, when that cannot be done. */
struct database *database_open(struct arena *a, const char *path, struct str *error);
/*
 * A file of somebody else: nothing is written beside it either, so nothing of a log of changes (PATH-wal) is read.
 * What it gives and what that costs is bounded by its size: a statement that goes beyond fails.
 */
struct database *database_open_to_read(struct arena *a, const char *path, struct str *error);
void database_close(struct database *d); /* NULL is fine */

/* What went wrong last; lives until the next call. */
const char *database_error(const struct database *d);

/* Runs statements that have no results. False after an error. */
bool database_run(struct database *d, const char *sql);

/*
 * One statement, kept for when it is asked for again. `values` is an array for its ?1, ?2, ...: numbers, texts, null;
 * true and false are 1 and 0, lists and objects texts of JSON. It is taken over; NULL is an empty one.
 */
bool database_do(struct database *d, const char *sql, json_t *values);
/* The rows of its result as objects, by the names of the columns; NULL after an error. */
json_t *database_rows(struct database *d, const char *sql, json_t *values);
/*
 * Calls `take` with each row of the result of a statement that will not be asked for again, until it says false. False
 * after an error.
 */
bool database_each(struct database *d, const char *sql, bool (*take)(void *object, const json_t *row), void *object);
/* The number in the first column of the first row; -1 when there is none. */
int64_t database_number(struct database *d, const char *sql, json_t *values);

/* Library and version, for --version. */
const char *database_library(void);
