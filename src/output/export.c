#include "output/export.h"

static const struct export_format formats[] = {
    {"markdown", export_markdown}, {"json", export_json},           {"tables", export_tables},
    {"perfetto", export_perfetto}, {"collapsed", export_collapsed}, {"sarif", export_sarif},
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
