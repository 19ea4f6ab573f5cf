#include "relaunch/workload/hook.h"

#include "util/system/file.h"

static int write_one(const char *dir, const char *name, struct str text)
{
    struct buf path = {0};
    struct outfile out;
    int error;

    buf_printf(&path, "%s/%s", dir, name);
    buf_char(&path, 0);
    error = outfile_open(&out, path.p);
    if (!error) {
        outfile_write(&out, text);
        error = outfile_commit(&out);
    }
    buf_free(&path);
    return error;
}

int hook_write(const char *dir)
{
    static const struct {
        const char *name;
        const struct str *text;
    } files[] = {
        {"sitecustomize.py", &hook_sitecustomize},
        {"_pt2trace_compile.py", &hook__pt2trace_compile},
        {"_pt2trace_logs.py", &hook__pt2trace_logs},
        {"_pt2trace_patch.py", &hook__pt2trace_patch},
        {"_pt2trace_profile.py", &hook__pt2trace_profile},
    };
    int error = make_dirs(dir);

    for (size_t i = 0; i < sizeof files / sizeof *files && !error; i++)
        error = write_one(dir, files[i].name, *files[i].text);
    return error;
}

int hook_write_compare(const char *dir)
{
    int error = make_dirs(dir);

    return error ? error : write_one(dir, "compare.py", hook_compare);
}
