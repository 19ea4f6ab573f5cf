#include "relaunch/runnable.h"

#include "util/file.h"

/* torch/_dynamo/debug_utils.py, generate_env_vars_string: os.environ['NAME'] = 'VALUE' */
static bool names_a_place(struct str line)
{
    static const char *const places[] = {
        "TORCHINDUCTOR_CACHE_DIR",
        "TRITON_CACHE_DIR",
        "TORCH_TRACE",
        "TORCH_DTRACE",
        "TORCH_LOGS",
        "TORCH_LOGS_OUT",
        "TORCH_COMPILE_DEBUG_DIR",
        "TORCHELASTIC_ERROR_FILE",
        "TORCHDYNAMO_REPRO_AFTER",
        "TORCHDYNAMO_REPRO_LEVEL",
        "_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR", /* an address */
    };
    struct str name;

    if (!str_consume(&line, STR("os.environ['")))
        return false;
    name = str_split(&line, '\'');
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (str_eq(name, str_of(places[i])) && str_starts(line, STR("] = ")))
            return true;
    return false;
}

struct str runnable_clean(struct arena *a, struct str text)
{
    struct buf b = {0};
    struct str line, out;

    while (str_next_line(&text, &line))
        if (!names_a_place(line)) {
            buf_str(&b, line);
            buf_char(&b, '\n');
        }
    out = arena_str(a, buf_view(&b));
    buf_free(&b);
    return out;
}

int runnable_write(const char *path, struct str text)
{
    struct outfile out;
    int rc = outfile_open(&out, path);

    if (rc == 0) {
        outfile_write(&out, text);
        rc = outfile_commit(&out);
    }
    return rc;
}
