#include "util/formats/database.h"

#include "util/buf.h"
#include "util/formats/json.h"
#include "util/map.h"
#include "util/mem.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* How long to wait while another process writes to the file, in milliseconds. */
enum { BUSY_MS = 30000 };

/*
 * Limits for files that may come from anyone: bytes of one value; SQLite operations between two checks of the budget;
 * and the budget, in operations and in bytes read, per byte of the file and in any case. A row of numbers takes 20
 * bytes of the file and as many operations.
 */
enum { VALUE_MAX = 1 << 20, OPERATIONS = 1000, COST_PER_BYTE = 8, COST_ALWAYS = 1 << 20 };

struct database {
    sqlite3 *file;
    struct arena *arena;
    struct map statements; /* SQL -> sqlite3_stmt */
    bool bounded;
    uint64_t operations, bytes; /* what is left of the budget */
};

static struct database *open_file(struct arena *a, const char *path, int flags, struct str *error)
{
    struct database *d = ARENA_NEW(a, struct database);
    int rc = sqlite3_open_v2(path, &d->file, flags, NULL);

    d->arena = arena_new();
    map_init(&d->statements, d->arena);
    if (rc == SQLITE_OK) {
        sqlite3_busy_timeout(d->file, BUSY_MS);
        sqlite3_exec(d->file, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL); /* temporary data stays in memory */
        /* Nothing that the file defines (views, triggers) is run: it may come from anyone. */
        sqlite3_db_config(d->file, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        rc = sqlite3_exec(d->file, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    }
    if (rc == SQLITE_OK)
        return d;
    *error = arena_printf(a, "%s", sqlite3_errmsg(d->file));
    database_close(d);
    return NULL;
}

struct database *database_open(struct arena *a, const char *path, struct str *error)
{
    return open_file(a, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, error);
}

/* SQLite calls this after every OPERATIONS operations; true aborts the statement. */
static int use_operations(void *object)
{
    struct database *d = object;

    d->operations -= d->operations < OPERATIONS ? d->operations : OPERATIONS;
    return d->operations == 0;
}

/* The settings that https://sqlite.org/security.html advises for files from others. */
static void bound(struct database *d, uint64_t size)
{
    static const struct {
        int limit, value;
    } limits[] = {
        {SQLITE_LIMIT_LENGTH, VALUE_MAX},       {SQLITE_LIMIT_SQL_LENGTH, 100000}, {SQLITE_LIMIT_COLUMN, 200},
        {SQLITE_LIMIT_EXPR_DEPTH, 20},          {SQLITE_LIMIT_VDBE_OP, 25000},     {SQLITE_LIMIT_COMPOUND_SELECT, 3},
        {SQLITE_LIMIT_FUNCTION_ARG, 8},         {SQLITE_LIMIT_ATTACHED, 0},        {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50}, {SQLITE_LIMIT_WORKER_THREADS, 0},
    };

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(d->file, limits[i].limit, limits[i].value);
    sqlite3_db_config(d->file, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(d->file, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_db_config(d->file, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    d->bounded = true;
    d->operations = d->bytes = COST_ALWAYS + COST_PER_BYTE * size;
    sqlite3_progress_handler(d->file, OPERATIONS, use_operations, d);
}

/*
 * "file:a%3fb?immutable=1" (https://sqlite.org/uri.html): nobody writes to the file, so SQLite needs no locks and no
 * files next to it.
 */
static char *immutable_uri(const char *path)
{
    struct buf uri = {0};

    buf_str(&uri, STR("file:"));
    for (; *path; path++)
        if (strchr("%?#", *path))
            buf_printf(&uri, "%%%02x", (unsigned char)*path);
        else
            buf_char(&uri, *path);
    buf_add(&uri, "?immutable=1", sizeof "?immutable=1");
    return uri.p;
}

struct database *database_open_to_read(struct arena *a, const char *path, struct str *error)
{
    char *uri = immutable_uri(path);
    struct database *d = open_file(a, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error);
    struct stat st;

    free(uri);
    if (d)
        bound(d, stat(path, &st) == 0 ? (uint64_t)st.st_size : 0);
    return d;
}

void database_close(struct database *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->statements.n; i++)
        sqlite3_finalize(d->statements.entries[i].value);
    sqlite3_close(d->file);
    arena_free(d->arena);
}

const char *database_error(const struct database *d)
{
    if (d->bounded && (d->operations == 0 || d->bytes == 0))
        return "more than a file of this size can hold";
    return sqlite3_errmsg(d->file);
}

bool database_run(struct database *d, const char *sql)
{
    return sqlite3_exec(d->file, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static int bind_text(sqlite3_stmt *s, int at, const json_t *v)
{
    return sqlite3_bind_text64(s, at, json_string_value(v), json_string_length(v), SQLITE_TRANSIENT, SQLITE_UTF8);
}

static int bind_json(sqlite3_stmt *s, int at, const json_t *v)
{
    char *text = json_text(v, JSON_COMPACT | JSON_REAL_PRECISION(15));
    int rc;

    if (!text)
        out_of_memory();
    rc = sqlite3_bind_text(s, at, text, -1, SQLITE_TRANSIENT);
    free(text);
    return rc;
}

static int bind(sqlite3_stmt *s, int at, const json_t *v)
{
    switch (json_typeof(v)) {
    case JSON_NULL:
        return sqlite3_bind_null(s, at);
    case JSON_TRUE:
    case JSON_FALSE:
        return sqlite3_bind_int(s, at, json_is_true(v));
    case JSON_INTEGER:
        return sqlite3_bind_int64(s, at, json_integer_value(v));
    case JSON_REAL:
        return sqlite3_bind_double(s, at, json_real_value(v));
    case JSON_STRING:
        return bind_text(s, at, v);
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    return bind_json(s, at, v);
}

static json_t *value_of(sqlite3_stmt *s, int column)
{
    switch (sqlite3_column_type(s, column)) {
    case SQLITE_INTEGER:
        return json_of_i64(sqlite3_column_int64(s, column));
    case SQLITE_FLOAT:
        return json_of_double(sqlite3_column_double(s, column));
    case SQLITE_NULL:
        return json_null();
    default:
        return json_of_str((struct str){(const char *)sqlite3_column_text(s, column),
                                        (size_t)sqlite3_column_bytes(s, column)});
    }
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static sqlite3_stmt *prepare(struct database *d, const char *sql)
{
    sqlite3_stmt *s = map_get(&d->statements, str_of(sql));

    if (!s && sqlite3_prepare_v2(d->file, sql, -1, &s, NULL) == SQLITE_OK)
        *map_at(&d->statements, arena_str(d->arena, str_of(sql))) = s;
    return s;
}

/* A prepared statement with its values bound, or NULL. Takes the values over. */
static sqlite3_stmt *begin(struct database *d, const char *sql, json_t *values)
{
    sqlite3_stmt *s = prepare(d, sql);
    bool good = s != NULL;

    if (s)
        sqlite3_reset(s);
    for (size_t i = 0; i < json_array_size(values) && good; i++)
        good = bind(s, (int)i + 1, json_array_get(values, i)) == SQLITE_OK;
    json_decref(values);
    return good ? s : NULL;
}

bool database_do(struct database *d, const char *sql, json_t *values)
{
    sqlite3_stmt *s = begin(d, sql, values);
    bool good = s && sqlite3_step(s) == SQLITE_DONE;

    return s && sqlite3_reset(s) == SQLITE_OK && good;
}

static json_t *row_of(sqlite3_stmt *s)
{
    json_t *row = json_new_object();

    for (int i = 0; i < sqlite3_column_count(s); i++)
        json_put(row, sqlite3_column_name(s, i), value_of(s, i));
    return row;
}

/* Rows of a damaged file may share bytes. False when the statement returned more bytes than the file can hold. */
static bool use_bytes(struct database *d, sqlite3_stmt *s)
{
    for (int i = 0; d->bounded && i < sqlite3_column_count(s); i++) {
        int type = sqlite3_column_type(s, i);
        uint64_t n = type == SQLITE_TEXT || type == SQLITE_BLOB ? (uint64_t)sqlite3_column_bytes(s, i) : 0;

        d->bytes -= n < d->bytes ? n : d->bytes;
    }
    return !d->bounded || d->bytes > 0;
}

json_t *database_rows(struct database *d, const char *sql, json_t *values)
{
    sqlite3_stmt *s = begin(d, sql, values);
    json_t *rows = json_new_array();
    int rc = SQLITE_ERROR;

    while (s && (rc = sqlite3_step(s)) == SQLITE_ROW)
        json_push(rows, row_of(s));
    if (s)
        sqlite3_reset(s);
    if (rc == SQLITE_DONE)
        return rows;
    json_decref(rows);
    return NULL;
}

bool database_each(struct database *d, const char *sql, bool (*take)(void *object, const json_t *row), void *object)
{
    sqlite3_stmt *s = NULL;
    int rc = sqlite3_prepare_v2(d->file, sql, -1, &s, NULL);
    bool more = true;

    while (rc == SQLITE_OK && more && (rc = sqlite3_step(s)) == SQLITE_ROW) {
        json_t *row;

        rc = use_bytes(d, s) ? SQLITE_OK : SQLITE_TOOBIG;
        if (rc != SQLITE_OK)
            break;
        row = row_of(s);
        more = take(object, row);
        json_decref(row);
    }
    sqlite3_finalize(s);
    return rc == SQLITE_DONE || (rc == SQLITE_OK && !more);
}

int64_t database_number(struct database *d, const char *sql, json_t *values)
{
    sqlite3_stmt *s = begin(d, sql, values);
    int64_t n = s && sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) == SQLITE_INTEGER
                    ? sqlite3_column_int64(s, 0)
                    : -1;

    if (s)
        sqlite3_reset(s);
    return n;
}

const char *database_library(void)
{
    static char text[40];

    snprintf(text, sizeof text, "SQLite %s", sqlite3_libversion());
    return text;
}
