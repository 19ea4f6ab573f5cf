/*
 * The lists of report.json as JSON lines, for databases and data frames: {"table": "compiles", …}, followed by the
 * members that the item has in report.json. The schema of a row is the schema of the list with the same name. In a
 * directory, each table is a file without that first member, or a CSV file with the columns of the SQLite table.
 */
#include "output/export/export.h"
#include "output/files/manifest.h"

#include "output/tables/tables.h"
#include "util/formats/json.h"
#include "util/mem.h"

#include <stdlib.h>

static void dump(struct sink *out, const json_t *row)
{
    char *text = json_text(row, JSON_COMPACT | JSON_REAL_PRECISION(15));

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
    const char *ending;                                     /* of the file names */
    void (*begin)(struct sink *out, const struct table *t); /* may be NULL */
    void (*write)(struct sink *out, const struct table *t, const json_t *row);
};

static void write_line(void *object, const char *table, json_t *row)
{
    struct files *files = object;
    size_t at = 0;
    struct sink sink;

    while (strcmp(table_at(at)->name, table) != 0)
        at++;
    sink = sink_to_outfile(&files->out[at]);
    files->write(&sink, table_at(at), row);
    json_decref(row);
}

/* Opens a file for every table, including empty ones, so that readers need not check. */
static int open_files(struct files *files, const char *dir, struct view *v, struct str *error)
{
    int rc = make_dirs(dir);

    for (size_t i = 0; table_at(i) && rc == 0; i++) {
        struct str path = arena_printf(v->scratch, "%s/%s.%s", dir, table_at(i)->name, files->ending);
        struct sink sink;

        rc = outfile_open(&files->out[i], path.p);
        files->n += rc == 0;
        *error = export_failure(v->scratch, path, rc);
        sink = sink_to_outfile(&files->out[i]);
        if (rc == 0 && files->begin)
            files->begin(&sink, table_at(i));
    }
    return rc;
}

static int note_files(const struct files *files, const char *dir)
{
    struct buf names = {0};
    int rc;

    for (size_t i = 0; i < files->n; i++)
        buf_printf(&names, "%s.%s\n", table_at(i)->name, files->ending);
    rc = manifest_note(dir, buf_view(&names));
    buf_free(&names);
    return rc;
}

static int write_files(struct files *files, const char *dir, struct view *v, struct str *error)
{
    struct str path;
    int rc = open_files(files, dir, v, error);

    if (rc == 0)
        tables_write(v, true, write_line, files);
    for (size_t i = 0; i < files->n; i++) {
        if (rc) {
            outfile_abort(&files->out[i]);
            continue;
        }
        rc = outfile_commit(&files->out[i]);
        path = arena_printf(v->scratch, "%s/%s.%s", dir, table_at(i)->name, files->ending);
        *error = export_failure(v->scratch, path, rc);
    }
    return rc ? rc : note_files(files, dir);
}

/* --- as JSON lines ------------------------------------------------------------------------------------------------ */

static void write_json(struct sink *out, const struct table *t, const json_t *row)
{
    (void)t;
    dump(out, row);
}

/* "frame" in "frame.name": the member of a row that contains the column. */
static struct str member_of(const struct column *c)
{
    const char *dot = strchr(c->path, '.');

    return (struct str){c->path, dot ? (size_t)(dot - c->path) : strlen(c->path)};
}

/*
 * DuckDB types. Values that have members, or can have them, stay JSON, because their type must not depend on the
 * contents of a file.
 */
static const char *duckdb_type(const struct column *c)
{
    if (strchr(c->path, '.') || column_is_list(c))
        return "JSON";
    return strcmp(c->type, "INTEGER") == 0 ? "BIGINT" : strcmp(c->type, "REAL") == 0 ? "DOUBLE" : "VARCHAR";
}

/* The first column of a member. */
static bool is_first_of_member(const struct table *t, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (str_eq(member_of(&t->columns[i]), member_of(&t->columns[at])))
            return false;
    return true;
}

static bool has_columns_inside(const struct table *t, size_t at)
{
    for (size_t i = 0; i < t->column_count; i++)
        if (strchr(t->columns[i].path, '.') && str_eq(member_of(&t->columns[i]), member_of(&t->columns[at])))
            return true;
    return false;
}

static void write_view(struct sink *out, struct arena *a, const struct table *t)
{
    const char *between = "";

    sink_str(out, arena_printf(a,
                               "CREATE OR REPLACE VIEW %s AS SELECT * FROM read_json('%s.jsonl',\n"
                               "    format = 'newline_delimited', columns = {",
                               t->name, t->name));
    for (size_t i = 0; i < t->column_count; i++) {
        if (!is_first_of_member(t, i))
            continue;
        sink_str(out, arena_printf(a, "%s'%.*s': '%s'", between, STR_ARG(member_of(&t->columns[i])),
                                   has_columns_inside(t, i) ? "JSON" : duckdb_type(&t->columns[i])));
        between = ", ";
    }
    sink_str(out, STR("});\n"));
}

/* The types of all columns, which a file with few rows or none does not show. */
static int write_views(const char *dir, struct view *v, struct str *error)
{
    struct str path = arena_printf(v->scratch, "%s/load.sql", dir);
    struct outfile out;
    int rc = outfile_open(&out, path.p);

    if (rc == 0) {
        struct sink sink = sink_to_outfile(&out);

        sink_str(&sink, STR("-- For DuckDB, in this directory: .read load.sql\n"));
        for (size_t i = 0; table_at(i); i++)
            write_view(&sink, v->scratch, table_at(i));
        rc = outfile_commit(&out);
    }
    *error = export_failure(v->scratch, path, rc);
    return rc;
}

int export_tables_to(const char *dir, struct view *v, struct str *error)
{
    struct files files = {.ending = "jsonl", .write = write_json};
    int rc = write_files(&files, dir, v, error);

    return rc ? rc : write_views(dir, v, error);
}

/* --- as CSV (RFC 4180) -------------------------------------------------------------------------------------------- */

static void put_field(struct buf *line, struct str s)
{
    buf_char(line, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"')
            buf_char(line, '"');
        buf_char(line, s.p[i]);
    }
    buf_char(line, '"');
}

/* Null is an empty field; an empty text is "". */
static void put_value(struct buf *line, const json_t *value)
{
    char *text;

    if (!value || json_is_null(value))
        return;
    if (json_is_string(value)) {
        put_field(line, json_str(value));
        return;
    }
    text = json_text(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    if (!text)
        out_of_memory();
    if (json_is_object(value) || json_is_array(value))
        put_field(line, str_of(text));
    else
        buf_str(line, str_of(text));
    free(text);
}

static void write_header(struct sink *out, const struct table *t)
{
    for (size_t i = 0; i < t->column_count; i++) {
        sink_str(out, i ? STR(",") : STR(""));
        sink_str(out, str_of(t->columns[i].name));
    }
    sink_str(out, STR("\r\n"));
}

static void write_csv(struct sink *out, const struct table *t, const json_t *row)
{
    json_t *values = table_values(t, row, true);
    struct buf line = {0};

    for (size_t i = 0; i < json_array_size(values); i++) {
        if (i)
            buf_char(&line, ',');
        put_value(&line, json_array_get(values, i));
    }
    buf_str(&line, STR("\r\n"));
    sink_str(out, buf_view(&line));
    buf_free(&line);
    json_decref(values);
}

int export_csv_to(const char *dir, struct view *v, struct str *error)
{
    struct files files = {.ending = "csv", .begin = write_header, .write = write_csv};

    return write_files(&files, dir, v, error);
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
