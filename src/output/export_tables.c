/*
 * The lists of report.json as JSON lines, for databases and data frames: {"table": "compiles", …}, and behind it what
 * report.json has for the item. The schema of the rows is that of the list of the same name. In a directory each table
 * has a file, where the first member is left out.
 */
#include "output/export.h"

#include "output/tables.h"
#include "util/json.h"
#include "util/mem.h"

#include <stdlib.h>

static void dump(struct sink *out, const json_t *row)
{
    char *text = json_dumps(row, JSON_COMPACT | JSON_REAL_PRECISION(15));

    if (!text)
        out_of_memory();
    sink_str(out, str_of(text));
    sink_str(out, STR("\n"));
    free(text);
}

/* --- one file per table ------------------------------------------------------------------------------------------- */

enum { TABLES_MAX = 32 };

struct files {
    struct outfile out[TABLES_MAX]; /* in the order of table_at */
    size_t n;
};

static void write_line(void *object, const char *table, json_t *row)
{
    struct files *files = object;
    size_t at = 0;
    struct sink sink;

    while (strcmp(table_at(at)->name, table) != 0)
        at++;
    sink = sink_to_outfile(&files->out[at]);
    dump(&sink, row);
    json_decref(row);
}

/* All of them, also those without a row: what reads them need not ask. */
static int open_files(struct files *files, const char *dir, struct view *v, struct str *error)
{
    int rc = make_dirs(dir);

    for (size_t i = 0; table_at(i) && rc == 0; i++) {
        struct str path = arena_printf(v->scratch, "%s/%s.jsonl", dir, table_at(i)->name);

        rc = outfile_open(&files->out[i], path.p);
        files->n += rc == 0;
        *error = path;
    }
    return rc;
}

int export_tables_to(const char *dir, struct view *v, struct str *error)
{
    struct files files = {.n = 0};
    int rc = open_files(&files, dir, v, error);

    if (rc == 0)
        tables_write(v, true, write_line, &files);
    for (size_t i = 0; i < files.n; i++) {
        if (rc)
            outfile_abort(&files.out[i]);
        else if ((rc = outfile_commit(&files.out[i])) != 0)
            *error = arena_printf(v->scratch, "%s/%s.jsonl", dir, table_at(i)->name);
    }
    return rc;
}

/* --- one stream --------------------------------------------------------------------------------------------------- */

static void write_row(void *object, const char *table, json_t *row)
{
    json_t *o = json_new_object();

    json_put_str(o, "table", str_of(table));
    json_object_update(o, row);
    dump(object, o);
    json_decref(o);
    json_decref(row);
}

int export_tables(struct sink *out, struct view *v, const struct about *about)
{
    (void)about;
    tables_write(v, true, write_row, out);
    return 0;
}
