#include "util/formats/database.h"

struct database *database_open(struct arena *a, const char *path, struct str *error)
{
    (void)a;
    (void)path;
    *error = STR("this pt2trace was built without SQLite and cannot use databases");
    return NULL;
}

struct database *database_open_to_read(struct arena *a, const char *path, struct str *error)
{
    return database_open(a, path, error);
}

void database_close(struct database *d)
{
    (void)d;
}

const char *database_error(const struct database *d)
{
    (void)d;
    return "";
}

bool database_run(struct database *d, const char *sql)
{
    (void)d;
    (void)sql;
    return false;
}

bool database_do(struct database *d, const char *sql, json_t *values)
{
    (void)d;
    (void)sql;
    json_decref(values);
    return false;
}

json_t *database_rows(struct database *d, const char *sql, json_t *values)
{
    database_do(d, sql, values);
    return NULL;
}

bool database_each(struct database *d, const char *sql, bool (*take)(void *object, const json_t *row), void *object)
{
    (void)take;
    (void)object;
    return database_do(d, sql, NULL);
}

int64_t database_number(struct database *d, const char *sql, json_t *values)
{
    database_do(d, sql, values);
    return -1;
}

const char *database_library(void)
{
    return "no SQLite";
}
