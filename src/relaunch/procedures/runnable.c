#include "relaunch/procedures/runnable.h"

#include "util/system/file.h"

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

bool runnable_is_symbolic(struct str text)
{
    return str_has(text, STR("reader.symint("));
}

/* --- to another place --------------------------------------------------------------------------------------------- */

/* Appends everything up to `mark` to b. False, with the rest appended, if there is none. */
static bool copy_to(struct buf *b, struct str *rest, struct str mark)
{
    ptrdiff_t at = str_find(*rest, mark);
    size_t n = at < 0 ? rest->n : (size_t)at + mark.n;

    buf_str(b, str_take(*rest, n));
    *rest = str_skip(*rest, n);
    return at >= 0;
}

static struct str replaced(struct arena *a, struct str text, struct str before, struct str old, struct str new)
{
    struct buf b = {0};
    struct str out;

    while (copy_to(&b, &text, before))
        if (str_consume(&text, old))
            buf_str(&b, new);
    out = arena_str(a, buf_view(&b));
    buf_free(&b);
    return out;
}

/* In Python's notation: 'PATH', for paths that need no escapes. */
struct str runnable_save_dir(struct arena *a, struct str text)
{
    struct str path;

    if (!str_between(text, STR("save_dir='"), STR("'"), &path) || str_chr(path, '\\') >= 0)
        return (struct str){"", 0};
    return arena_str(a, path);
}

struct str runnable_move(struct arena *a, struct str text, struct str save_dir)
{
    return replaced(a, text, STR("save_dir="), arena_printf(a, "'%.*s'", STR_ARG(save_dir)),
                    STR("__import__('os').path.dirname(__import__('os').path.abspath(__file__))"));
}

struct str runnable_make_symbolic(struct arena *a, struct str text)
{
    return replaced(a, text, STR("tracing_mode="), STR("'real'"), STR("'symbolic'"));
}

/* A digest is safe as a file name: it cannot lead out of a directory. */
static bool is_digest(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!memchr("0123456789abcdef", s.p[i], 16))
            return false;
    return s.n > 0;
}

bool runnable_next_input(struct str *text, struct str *name)
{
    static const struct str mark = STR_INIT("reader.storage('");
    ptrdiff_t at;

    while ((at = str_find(*text, mark)) >= 0) {
        *text = str_skip(*text, (size_t)at + mark.n);
        *name = str_split(text, '\'');
        if (is_digest(*name))
            return true;
    }
    return false;
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
