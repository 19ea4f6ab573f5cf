#include "output/export.h"

static const struct export_format formats[] = {
    {.name = "markdown", .write = export_markdown},
    {.name = "json", .write = export_json},
    {.name = "tables", .write = export_tables, .write_to = export_tables_to, .to_directory = true},
    {.name = "sqlite", .write_to = export_sqlite_to},
    {.name = "raw", .write = export_raw, .as_it_is = true},
    {.name = "perfetto", .write = export_perfetto},
    {.name = "collapsed", .write = export_collapsed},
    {.name = "sarif", .write = export_sarif},
};

const struct export_format *export_at(size_t i)
{
    return i < sizeof formats / sizeof *formats ? &formats[i] : NULL;
}

const struct export_format *export_find(const char *name)
{
    const struct export_format *f;

    for (size_t i = 0; (f = export_at(i)) != NULL; i++)
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}
