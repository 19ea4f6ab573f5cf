/*
 * database: a file of SQL tables, with JSON values in and out. A thin layer over SQLite; in a build without SQLite,
 * opening a file fails with an error that says so. One thread per database.
 */
#pragma once

#include "util/arena.h"

#include <jansson.h>

struct database;

/* Opens a file, and creates it if it does not exist. NULL, with *error set in the arena, on failure. */
struct database *database_open(struct arena *a, const char *path, struct str *error);
/*
 * Opens a file that may come from anyone, for reading only. Nothing is written next to it, so a log of pending changes
 * (PATH-wal) is not read either. Time and results are limited in proportion to the file's size: a statement that
 * exceeds the limit fails.
 */
struct database *database_open_to_read(struct arena *a, const char *path, struct str *error);
void database_close(struct database *d); /* NULL is allowed */

/* The last error; valid until the next call. */
const char *database_error(const struct database *d);

/* Runs statements that have no results. False after an error. */
bool database_run(struct database *d, const char *sql);

/*
 * Runs one statement, which is kept prepared for the next time. `values` is an array for its ?1, ?2, ...: numbers,
 * strings and null as they are, true and false as 1 and 0, lists and objects as JSON text. It is taken over; NULL
 * means none.
 */
bool database_do(struct database *d, const char *sql, json_t *values);
/* The rows of the result as objects, keyed by column name; NULL after an error. */
json_t *database_rows(struct database *d, const char *sql, json_t *values);
/*
 * Calls `take` with each row of the result until it returns false. For statements that are not run again. False after
 * an error.
 */
bool database_each(struct database *d, const char *sql, bool (*take)(void *object, const json_t *row), void *object);
/* The number in the first column of the first row; -1 if there is none. */
int64_t database_number(struct database *d, const char *sql, json_t *values);

/* Library and version, for --version. */
const char *database_library(void);
