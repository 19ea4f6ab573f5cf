#include "output/export/export.h"

static const struct export_format formats[] = {
    {.name = "markdown", .write = export_markdown},
    {.name = "json", .write = export_json},
    {.name = "tables", .write = export_tables, .write_to = export_tables_to, .to_directory = true},
    {.name = "csv", .write_to = export_csv_to, .to_directory = true},
    {.name = "sqlite", .write_to = export_sqlite_to},
    {.name = "raw", .write = export_raw, .as_it_is = true},
    {.name = "perfetto", .write = export_perfetto},
    {.name = "speedscope", .write = export_speedscope},
    {.name = "collapsed", .write = export_collapsed},
    {.name = "sarif", .write = export_sarif},
    {.name = "junit", .write = export_junit},
    {.name = "tlparse", .write_to = export_tlparse_to, .to_directory = true, .as_it_is = true},
};

const struct export_format *export_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

struct str export_failure(struct arena *a, struct str path, int rc)
{
    return rc ? arena_printf(a, "%.*s: %s", STR_ARG(path), strerror(-rc)) : STR("");
}

struct str export_process_name(struct arena *a, const struct process *p)
{
    if (p->rank == RANK_UNKNOWN)
        return arena_printf(a, "pid %llu", (unsigned long long)p->pid);
    return arena_printf(a, "rank %d, pid %llu", p->rank, (unsigned long long)p->pid);
}

struct str export_lane_name(struct arena *a, const struct lane *lane)
{
    if (lane->beside)
        return arena_printf(a, "beside compiles %u", lane->number);
    return lane->number == 1 ? STR("compiles") : arena_printf(a, "compiles %u", lane->number);
}
