/* The tables as an SQLite database: complete, under another name, before it takes the place of what was there. */
#include "output/export.h"

#include "input/report_files.h"
#include "output/sqlite_tables.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct writing {
    struct database *d;
    bool good;
};

static void add_row(void *object, const char *table, json_t *row)
{
    struct writing *w = object;

    w->good = w->good && sqlite_table_add(w->d, &(struct sqlite_table){table_find(table), NULL, true}, NULL, row);
    json_decref(row);
}

static bool fill(struct database *d, struct view *v)
{
    static const char begin[] = "PRAGMA application_id = " REPORT_DATABASE "; PRAGMA synchronous = OFF; BEGIN";
    struct writing w = {d, database_run(d, begin)};

    for (size_t i = 0; table_at(i); i++)
        w.good = w.good && sqlite_table_make(d, &(struct sqlite_table){table_at(i), NULL, true});
    tables_write(v, true, add_row, &w);
    return w.good && database_run(d, "COMMIT");
}

int export_sqlite_to(const char *path, struct view *v, struct str *error)
{
    struct arena *a = arena_new();
    char *temp = outfile_temp_name(path);
    struct database *d;
    int rc = -EIO;

    unlink(temp);
    d = database_open(a, temp, error);
    if (d && fill(d, v))
        rc = 0;
    else if (d)
        *error = arena_printf(a, "%s", database_error(d));
    database_close(d);
    if (rc == 0) {
        rc = outfile_publish(path);
        *error = STR("");
    } else {
        *error = arena_str(v->scratch, *error);
        unlink(temp);
    }
    free(temp);
    arena_free(a);
    return rc;
}
