#include "analysis/errors/error_cache.h"

#include "text/faults/cache_fault.h"
#include "util/buf.h"

static const struct str name = STR_INIT("torchinductor_");

enum { SEARCHED = 16384, PATH_MAX_BYTES = 400 };

/* Where the path begins that ends at `end`: behind a quote, where there is one, as names may have blanks. */
static const char *path_begin(struct str text, const char *end)
{
    const char *p = end, *slash = NULL;

    while (p > text.p && end - p < PATH_MAX_BYTES && !strchr("'\"`\n=(", p[-1])) {
        p--;
        if (*p == ':' && p > text.p && p[1] && strchr("\\/", p[1])) /* of a drive */
            return p - 1;
        if (*p == '/' && (p == text.p || p[-1] == ' ') && !slash)
            slash = p;
    }
    return *p == '/' ? p : slash;
}

static struct str with_single_backslashes(struct arena *a, struct str path)
{
    struct buf out = {0};

    for (size_t i = 0; i < path.n; i++) {
        buf_char(&out, path.p[i]);
        i += path.p[i] == '\\' && i + 1 < path.n && path.p[i + 1] == '\\';
    }
    path = arena_str(a, buf_view(&out));
    buf_free(&out);
    return path;
}

struct str error_cache_root(struct arena *a, struct str message)
{
    struct str text = str_take(message, SEARCHED), rest;
    ptrdiff_t at = str_find(text, name);
    const char *begin = at > 0 ? path_begin(text, text.p + at) : NULL;
    size_t n = name.n;

    if (!begin)
        return (struct str){0};
    rest = str_skip(text, (size_t)at);
    while (n < rest.n && !strchr("/\\'\"`\n ),", rest.p[n]))
        n++;
    return n > name.n ? with_single_backslashes(a, str_range(begin, rest.p + n)) : (struct str){0};
}

static struct str root_of_triton(struct arena *a, struct str message)
{
    static const struct str marks[] = {STR_INIT(".triton/cache"), STR_INIT(".triton\\\\cache"),
                                       STR_INIT(".triton\\cache")};
    struct str text = str_take(message, SEARCHED), root = {0};

    for (size_t i = 0; i < sizeof marks / sizeof *marks && root.n == 0; i++) {
        ptrdiff_t at = str_find(text, marks[i]);
        const char *begin = at > 0 ? path_begin(text, text.p + at) : NULL;

        if (begin)
            root = with_single_backslashes(a, str_range(begin, text.p + at + marks[i].n));
    }
    return root;
}

/* Inductor's directory, which has Triton's files in it, or Triton's own; of one with another name, what is known. */
static struct str root_of(struct arena *a, struct str message, struct str set, bool of_triton)
{
    struct str first = of_triton ? root_of_triton(a, message) : error_cache_root(a, message);
    struct str other = first.n ? first : of_triton ? error_cache_root(a, message) : root_of_triton(a, message);

    return other.n || of_triton ? other : set;
}

/* As the shell takes it for one word; a quote ends every path that is found. */
static struct str as_word(struct arena *a, struct str path)
{
    for (size_t i = 0; i < path.n; i++)
        if (!(str_is_digit(path.p[i]) || (path.p[i] >= 'a' && path.p[i] <= 'z') ||
              (path.p[i] >= 'A' && path.p[i] <= 'Z') || strchr("/._-+@:~", path.p[i])))
            return arena_printf(a, "'%.*s'", STR_ARG(path));
    return path;
}

struct str error_cache_named(struct arena *a, struct str words, struct str message, struct str set)
{
    static const struct {
        struct str words;
        const char *before, *after, *windows; /* `windows`: before it on Windows, if that differs */
        bool triton;
    } rows[] = {
        {STR_INIT("the directory that the message names"), "`", "`", NULL, false},
        {STR_INIT("`rm -rf /tmp/torchinductor_$USER`"), "`rm -rf ", "`", "`rmdir /s /q ", false},
        {STR_INIT("`rm -rf ~/.triton/cache`"), "`rm -rf ", "`", "`rmdir /s /q ", true},
        {STR_INIT("`/tmp/torchinductor_*`"), "`", "`", NULL, false},
        {STR_INIT("shorter, remove the cache"), "shorter, remove `", "`", NULL, false},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ptrdiff_t at = str_find(words, rows[i].words);
        struct str root = {0};
        bool windows;

        if (at >= 0)
            root = root_of(a, message, set, rows[i].triton);
        if (at >= 0 && rows[i].windows && root.n == 0)
            root = cache_fault_entry(message);
        windows = rows[i].windows && str_chr(root, '\\') >= 0;
        if (rows[i].windows && !windows)
            root = as_word(a, root);

        if (root.n)
            words = arena_printf(a, "%.*s%s%.*s%s%.*s", (int)at, words.p, windows ? rows[i].windows : rows[i].before,
                                 STR_ARG(root), rows[i].after, STR_ARG(str_skip(words, (size_t)at + rows[i].words.n)));
    }
    return words;
}

struct str error_cache_of_vllm(struct arena *a, struct str words, struct str directory)
{
    static const struct str usual = STR_INIT("~/.cache/vllm/torch_compile_cache");
    ptrdiff_t at = directory.n ? str_find(words, usual) : -1;

    return at < 0 ? words
                  : arena_printf(a, "%.*s%.*s%.*s", (int)at, words.p, STR_ARG(directory),
                                 STR_ARG(str_skip(words, (size_t)at + usual.n)));
}

struct str error_cache_of_option(struct arena *a, struct str words, struct str option)
{
    static const struct str once = STR_INIT("vLLM loaded this code from its cache: start once with "
                                            "`VLLM_DISABLE_COMPILE_CACHE=1`.");
    ptrdiff_t at = option.n ? str_find(words, once) : -1;

    return at < 0 ? words
                  : arena_printf(a,
                                 "%.*svLLM loaded this code from its cache, where it was compiled for another value of "
                                 "`%.*s`, which most likely is no part of the cache's key. Give each value a cache of "
                                 "its own (`VLLM_CACHE_ROOT`), or start each time with "
                                 "`VLLM_DISABLE_COMPILE_CACHE=1`, and try a newer vLLM.%.*s",
                                 (int)at, words.p, STR_ARG(option), STR_ARG(str_skip(words, (size_t)at + once.n)));
}
