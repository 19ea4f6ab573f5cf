#include "output/export.h"

static const struct export_format formats[] = {
    {"markdown", "a text for an issue, as PyTorch asks for it: at most 60 kB", export_markdown},
    {"json", "report.json", export_json},
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
