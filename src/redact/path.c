#include "redact/path.h"

/* --- what belongs to PyTorch and Python --------------------------------------------------------------------------- */

static struct str directory_of(struct str path)
{
    ptrdiff_t slash = str_rchr(path, '/');

    return str_take(path, slash < 0 ? 0 : (size_t)slash);
}

static struct str base_of(struct str path)
{
    ptrdiff_t slash = str_rchr(path, '/');

    return slash < 0 ? path : str_skip(path, (size_t)slash + 1);
}

static bool is_part(const struct words *w, struct str part)
{
    if (str_ends(part, STR(".py")) || str_ends(part, STR(".so")))
        part = str_drop(part, 3);
    return vocabulary_sets(&w->vocabulary, part) & (WORDS_API | WORDS_PATH);
}

static bool are_parts(const struct words *w, struct str tail)
{
    bool some = tail.n > 0;

    while (some && tail.n)
        some = is_part(w, str_split(&tail, '/'));
    return some;
}

/* Guards refer to files of PyTorch by their last two components. */
static bool is_inner(struct str path)
{
    static const struct str folders[] = {
        STR_INIT("_dynamo/"),       STR_INIT("_inductor/"), STR_INIT("_functorch/"), STR_INIT("_higher_order_ops/"),
        STR_INIT("_subclasses/"),   STR_INIT("_export/"),   STR_INIT("_logging/"),   STR_INIT("_library/"),
        STR_INIT("_prims_common/"), STR_INIT("_refs/"),     STR_INIT("_decomp/"),
    };

    return STR_STARTS_ANY(path, folders);
}

static bool is_package(struct str tail)
{
    return str_starts(tail, STR("torch/")) || str_starts(tail, STR("triton/")) || str_starts(tail, STR("functorch/")) ||
           str_starts(tail, STR("torchgen/"));
}

/* The part from the last `marker` on; empty if it does not occur. */
static struct str from_last(struct str path, struct str marker)
{
    struct str found = {0};

    for (ptrdiff_t at; (at = str_find(path, marker)) >= 0; path = str_skip(found, 1))
        found = str_skip(path, (size_t)at);
    return found;
}

/* "…/lib/python3.11/contextlib.py": from lib on. */
static struct str library_tail(const struct words *w, struct str path)
{
    static const struct str markers[] = {STR_INIT("/lib/python3"), STR_INIT("/lib64/python3")};

    for (size_t i = 0; i < sizeof markers / sizeof *markers; i++) {
        struct str found = from_last(path, markers[i]), rest = str_skip(found, markers[i].n), version;
        uint64_t minor;

        version = str_split(&rest, '/');
        if (found.n && (version.n == 0 || (str_consume(&version, STR(".")) && str_u64(version, &minor))) &&
            are_parts(w, rest))
            return str_skip(found, 1);
    }
    return (struct str){0};
}

/* The part of a path that may stay, because it is known to be public; empty if there is none. */
static struct str kept_tail(const struct words *w, struct str path)
{
    static const struct str markers[] = {STR_INIT("/site-packages/"), STR_INIT("/dist-packages/"),
                                         STR_INIT("/pytorch/")};

    if ((is_package(path) || is_inner(path)) && are_parts(w, path))
        return path;
    for (size_t i = 0; i < sizeof markers / sizeof *markers; i++) {
        struct str found = from_last(path, markers[i]), tail = str_skip(found, markers[i].n);

        if (found.n && is_package(tail) && are_parts(w, tail))
            return str_skip(found, 1);
    }
    return library_tail(w, path);
}

bool path_is_kept(const struct words *w, struct str path)
{
    return kept_tail(w, path).n > 0;
}

/* --- replacing ---------------------------------------------------------------------------------------------------- */

static const struct str extensions[] = {
    STR_INIT(".py"),   STR_INIT(".cpp"), STR_INIT(".so"),    STR_INIT(".log"), STR_INIT(".txt"), STR_INIT(".json"),
    STR_INIT(".gz"),   STR_INIT(".h"),   STR_INIT(".c"),     STR_INIT(".cu"),  STR_INIT(".pt"),  STR_INIT(".pt2"),
    STR_INIT(".yaml"), STR_INIT(".yml"), STR_INIT(".cc"),    STR_INIT(".o"),   STR_INIT(".sh"),  STR_INIT(".svg"),
    STR_INIT(".html"), STR_INIT(".ptx"), STR_INIT(".cubin"), STR_INIT(".hpp"), STR_INIT(".pyc"), STR_INIT(".ipynb"),
};

static struct str extension_of(struct str base)
{
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (base.n > extensions[i].n && str_ends(base, extensions[i]))
            return extensions[i];
    return STR("");
}

static void directory(struct words *w, struct str path, struct buf *out)
{
    if (path.n && *path.p == '/')
        buf_char(out, '/');
    buf_str(out, placeholder_of(w->placeholders, REDACTION_DIRECTORY, path)->text);
    buf_char(out, '/');
}

/* The name of a trace file contains its rank; the random part after that is replaced. */
static void file_name(struct words *w, struct str base, struct buf *out)
{
    static const struct str dedicated = STR_INIT("dedicated_log_torch_trace_");
    struct str rest = base, extension;
    uint64_t rank;

    for (; (extension = extension_of(rest)).n; rest = str_drop(rest, extension.n))
        ;
    extension = str_skip(base, rest.n);
    if (str_consume(&rest, dedicated)) {
        buf_str(out, dedicated);
        if (str_consume(&rest, STR("rank_")) && str_take_u64(&rest, &rank))
            buf_printf(out, "rank_%llu_", (unsigned long long)rank);
    }
    if (rest.n)
        buf_str(out, word_of_file(w, rest));
    buf_str(out, extension);
}

/* "…/torchinductor_USER/ab/cab….py": a file that Inductor wrote. */
static bool inductors_own(struct words *w, struct str path, struct buf *out)
{
    static const struct str marker = STR_INIT("/torchinductor_");
    ptrdiff_t at = str_find(path, marker);
    struct str rest;

    if (at < 0)
        return false;
    rest = str_skip(path, (size_t)at + marker.n);
    directory(w, str_take(path, (size_t)at), out);
    buf_str(out, STR("torchinductor_"));
    buf_str(out, word_of_file(w, str_split(&rest, '/')));
    while (rest.n) {
        buf_char(out, '/');
        file_name(w, str_split(&rest, '/'), out);
    }
    return true;
}

static void replace(struct words *w, struct str path, struct buf *out)
{
    struct str dir, base;
    bool is_directory = path.n > 1 && path.p[path.n - 1] == '/';

    while (path.n > 1 && path.p[path.n - 1] == '/')
        path = str_drop(path, 1);
    dir = directory_of(path);
    base = base_of(path);
    if (dir.n || *path.p == '/')
        directory(w, dir.n ? dir : STR("/"), out);
    if (base.n)
        file_name(w, base, out);
    if (is_directory)
        buf_char(out, '/');
}

/* "…/site-packages/PACKAGE/x.py": the result shows that it is an installed package, but not which. */
static bool of_package(struct words *w, struct str path, struct buf *out)
{
    static const struct str markers[] = {STR_INIT("/site-packages/"), STR_INIT("/dist-packages/")};

    for (size_t i = 0; i < sizeof markers / sizeof *markers; i++) {
        struct str found = from_last(path, markers[i]);

        if (found.n <= markers[i].n)
            continue;
        directory(w, str_range(path.p, found.p), out);
        buf_str(out, str_skip(markers[i], 1));
        replace(w, str_skip(found, markers[i].n), out);
        return true;
    }
    return false;
}

void path_redact(struct words *w, struct str path, struct buf *out)
{
    struct str tail = kept_tail(w, path);

    if (path.n == 0)
        return;
    if (tail.n && tail.p > path.p)
        directory(w, str_drop(str_range(path.p, tail.p), 1), out);
    if (tail.n)
        buf_str(out, tail);
    else if (!inductors_own(w, path, out) && !of_package(w, path, out))
        replace(w, path, out);
}

bool path_has(char c)
{
    return (unsigned char)c >= 0x80 || str_is_word_char(c) || (c && strchr("/.+~@%=-", c));
}

bool path_looks_like(struct str run)
{
    ptrdiff_t slash = str_chr(run, '/');

    if (slash < 0 || run.n < 2)
        return false;
    if (slash == 0 || str_starts(run, STR("~/")) || str_starts(run, STR("./")) || str_starts(run, STR("../")))
        return path_has(run.p[slash + 1]) && run.p[slash + 1] != '/' && run.p[slash + 1] != '=';
    return extension_of(run).n > 0;
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

static bool ends_url(char c)
{
    return (unsigned char)c <= ' ' || strchr("\"'<>`|\\^{}()[],", c) != NULL;
}

size_t url_length(struct str s)
{
    static const struct str schemes[] = {STR_INIT("https://"), STR_INIT("http://"), STR_INIT("file://"),
                                         STR_INIT("s3://"),    STR_INIT("gs://"),   STR_INIT("ftp://"),
                                         STR_INIT("ssh://"),   STR_INIT("git://"),  STR_INIT("redis://"),
                                         STR_INIT("tcp://"),   STR_INIT("hdfs://")};

    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t n = schemes[i].n;

        if (!str_starts(s, schemes[i]))
            continue;
        while (n < s.n && !ends_url(s.p[n]))
            n++;
        while (n > schemes[i].n && strchr(".:;!?", s.p[n - 1]))
            n--;
        return n > schemes[i].n ? n : 0;
    }
    return 0;
}

static bool is_known_site(struct str url)
{
    static const struct str sites[] = {
        STR_INIT("https://pytorch.org/"),
        STR_INIT("https://docs.pytorch.org/"),
        STR_INIT("https://github.com/pytorch/pytorch/"),
        STR_INIT("https://meta-pytorch.github.io/"),
        STR_INIT("https://meta-pytorch.org/"),
        STR_INIT("https://dev-discuss.pytorch.org/"),
    };

    return STR_STARTS_ANY(url, sites);
}

/* Even in a URL of PyTorch's, words that are not everyday words are replaced. */
void url_redact(struct words *w, struct str url, struct buf *out)
{
    size_t i = 0;

    if (!is_known_site(url)) {
        buf_str(out, placeholder_of(w->placeholders, REDACTION_URL, url)->text);
        return;
    }
    i = (size_t)str_find(str_skip(url, 8), STR("/")) + 8;
    buf_str(out, str_take(url, i));
    while (i < url.n) {
        size_t from = i;

        while (i < url.n && (url.p[i] == '_' || (path_has(url.p[i]) && !strchr("/.+~@%=-", url.p[i]))))
            i++;
        if (i > from)
            buf_str(out, word_in_prose(w, str_range(url.p + from, url.p + i)));
        else
            buf_char(out, url.p[i++]);
    }
}
