/*
 * The tables as an SQLite database. The file is written under another name, and replaces an existing one when it is
 * complete.
 */
#include "output/export/export.h"

#include "input/report_files.h"
#include "output/tables/sqlite_tables.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

int export_sqlite_to(const char *path, struct view *v, struct str *error)
{
    static const char begin[] = "PRAGMA application_id = " REPORT_DATABASE "; PRAGMA synchronous = OFF; BEGIN";
    struct arena *a = arena_new();
    char *temp = outfile_temp_name(path);
    struct database *d;
    int rc = -EIO;

    unlink(temp);
    d = database_open(a, temp, error);
    if (d && database_run(d, begin) && sqlite_tables_fill(d, v) && database_run(d, "COMMIT"))
        rc = 0;
    else if (d)
        *error = arena_printf(a, "%s", database_error(d));
    database_close(d);
    if (rc == 0) {
        rc = outfile_publish(path);
        *error = STR("");
    } else {
        *error = arena_printf(v->scratch, "%s: %.*s", path, STR_ARG(*error));
        unlink(temp);
    }
    free(temp);
    arena_free(a);
    return rc;
}
