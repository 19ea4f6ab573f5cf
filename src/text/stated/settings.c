#include "text/stated/settings.h"

enum { NAME_MIN = 3, VALUE_MAX = 120, HELD_MAX = 100 };

static const struct str remove = STR_INIT("rm -");

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* PyTorch and others advise settings in their messages, which is not what the writer did. */
static bool is_hint(struct str line)
{
    static const char words[] =
        "or more information\nmore developer context\nuse TORCH_LOGS\nSet TORCH\nenable TORCH_LOGS\nsee TORCH\n"
        "consider \nConsider \nint: \nint \n- Set \nb) set \nturn off \nlease \no enable, \nonly support\nou can \n"
        "ry setting\nry to \nunning with\nerun with\ne-run with\nor debugging\nresort, \ndisable torch compile by\n"
        "or set torch\no disable donated\nf you \nError: \narning: \n=...\nould \nhould ";

    return str_has_any_line(line, str_of(words)) || str_chr(line, '?') >= 0;
}

/* "W1110 16:29:41.118000 41799 torch/...", also behind what a launcher writes; "torch._dynamo: [WARNING]". */
static bool is_logged(struct str line)
{
    enum { LAUNCHER_MAX = 60 };

    for (size_t i = 0; i + 8 < line.n && i < LAUNCHER_MAX; i++)
        if (strchr("VIWEC", line.p[i]) && str_is_digit(line.p[i + 1]) && str_is_digit(line.p[i + 2]) &&
            str_is_digit(line.p[i + 3]) && str_is_digit(line.p[i + 4]) && line.p[i + 5] == ' ' && line.p[i + 8] == ':')
            return true;
    return str_has_any_line(line, STR("[WARNING]\n[INFO]\n[ERROR]\n[DEBUG]"));
}

/* The line above a source line of a traceback, where that is a library's, or above a setting that is advised. */
static bool leads_others(struct str line)
{
    if (str_ends(line, STR("onsider setting:")) || str_ends(line, STR(" or:")) || str_eq(line, STR("or:")))
        return true;
    return str_starts(line, STR("File \"")) &&
           str_has_any_line(line, STR("/torch/\nsite-packages\ndist-packages\n\\torch\\"));
}

/* --- names and values --------------------------------------------------------------------------------------------- */

static bool is_env_char(char c)
{
    return (c >= 'A' && c <= 'Z') || c == '_' || str_is_digit(c);
}

static bool is_env(struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (!is_env_char(name.p[i]))
            return false;
    return name.n > NAME_MIN && str_chr(name, '_') > 0;
}

/* What a program logs or records of itself may also stand in a sentence: "TORCH_LOGS=recompiles shows nothing". */
static bool is_diagnostic(struct str name)
{
    static const struct str names[] = {STR_INIT("TORCH_LOGS"), STR_INIT("TORCHDYNAMO_VERBOSE"), STR_INIT("TORCH_TRACE"),
                                       STR_INIT("CUDA_LAUNCH_BLOCKING"), STR_INIT("TORCH_COMPILE_DEBUG"),
                                       STR_INIT("VLLM_LOGGING_LEVEL")};

    return STR_IS_ANY(name, names);
}

/* The value that a text begins with: what is in quotes, or a word; in a command, commas are within it. */
static struct str value_at(struct str s, bool command)
{
    const char *ends = command ? " \t\r;)`|'\"" : " \t\r,;)`|'\"";
    size_t n = 0;

    if (s.n && (s.p[0] == '"' || s.p[0] == '\'')) {
        struct str rest = str_skip(s, 1);
        ptrdiff_t end = str_chr(rest, s.p[0]);

        return end < 0 || end > VALUE_MAX ? (struct str){0} : str_take(rest, (size_t)end);
    }
    while (n < s.n && n < VALUE_MAX && !strchr(ends, s.p[n]))
        n++;
    return str_drop_any(str_take(s, n), ".:,");
}

/* The name that a text ends with, and what is before it: `os.environ["` of `os.environ["NAME"] `. */
static struct str name_before(struct str *before)
{
    struct str s = str_drop_any(*before, "\"'] ");
    size_t begin = s.n;

    while (begin && str_is_word_char(s.p[begin - 1]))
        begin--;
    *before = str_take(s, begin);
    return s.n - begin >= NAME_MIN ? str_skip(s, begin) : (struct str){0};
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

struct held {
    struct arena *a;
    struct str list;
    size_t n;
};

static bool has_line(struct str list, struct str wanted)
{
    struct str line;

    while (str_next_line(&list, &line))
        if (str_eq(line, wanted))
            return true;
    return false;
}

static void add_line(struct held *h, struct str line)
{
    if (line.n == 0 || h->n == HELD_MAX || has_line(h->list, line))
        return;
    h->list = h->n++ ? arena_printf(h->a, "%.*s\n%.*s", STR_ARG(h->list), STR_ARG(line)) : line;
}

/* The parts of TORCH_LOGS are settings each: "recompiles,graph_breaks". */
static void add_pair(struct held *h, struct str name, struct str value)
{
    if (name.n == 0 || value.n == 0)
        return;
    if (!str_eq(name, STR("TORCH_LOGS"))) {
        add_line(h, arena_printf(h->a, "%.*s=%.*s", STR_ARG(name), STR_ARG(value)));
        return;
    }
    while (value.n) {
        struct str part = str_trim(str_split(&value, ','));

        if (part.n)
            add_line(h, arena_printf(h->a, "TORCH_LOGS=%.*s", STR_ARG(part)));
    }
}

static void add_removed(struct held *h, struct str line)
{
    ptrdiff_t at = str_find(line, remove);
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + remove.n);

    if (str_split(&rest, ' ').n == 0)
        return;
    for (struct str path; (rest = str_trim(rest)).n && strchr("/~$.", rest.p[0]);) {
        path = str_drop_any(str_split(&rest, ' '), "/*`,;.)\"");
        if (path.n > NAME_MIN)
            add_line(h, arena_printf(h->a, "rm %.*s", STR_ARG(path)));
    }
}

/* --- what the text has -------------------------------------------------------------------------------------------- */

/* "export X=1", "-e X=1", "ENV X=1", "X=1 python till.py", "$ X=1 ...": nothing but settings is before it. */
static bool is_in_command(struct str before)
{
    static const struct str words[] = {STR_INIT("export"), STR_INIT("ENV"), STR_INIT("-e"),  STR_INIT("$"),
                                       STR_INIT(">"),      STR_INIT("%"),   STR_INIT("set"), STR_INIT("%env"),
                                       STR_INIT("env"),    STR_INIT("-x"),  STR_INIT("--env")};
    struct str word = {0}, rest = str_trim(before);

    if (rest.n == 0 || str_ends(rest, STR("$env:")))
        return true;
    while ((rest = str_trim(rest)).n)
        word = str_split(&rest, ' ');
    if (STR_IS_ANY(word, words))
        return true;
    /* a setting beside it */
    rest = word;
    rest = str_split(&rest, '=');
    return rest.n < word.n && is_env(rest);
}

/* "(dynamic=True", ", dynamic=True,", or a line of a call that is written over several. */
static bool is_in_code(struct str before, struct str name, struct str behind)
{
    bool own_line = str_trim(before).n == 0;
    char last = before.n ? before.p[before.n - 1] : '\n';

    before = str_drop_any(before, " ");
    if (last == '.')
        return str_has(before, STR("config.")) || str_has(before, STR("torch."));
    if (own_line)
        return name.n > NAME_MIN && (behind.n == 0 || strchr(",)#", str_trim(behind).n ? str_trim(behind).p[0] : '#'));
    return before.n && strchr("(,{", before.p[before.n - 1]) && behind.n && strchr(",)", behind.p[0]);
}

static void add_at(struct held *h, struct str line, size_t at)
{
    struct str before = str_take(line, at), behind = str_skip(line, at + 1), name = name_before(&before), value, after;
    bool environ_has, negated;

    if (name.n == 0 || (behind.n && behind.p[0] == '='))
        return;
    behind = str_skip_any(behind, " ");
    value = value_at(behind, is_env(name));
    if (value.n == 0)
        return;
    after = str_range(value.p + value.n, line.p + line.n);
    if (after.n && (after.p[0] == '"' || after.p[0] == '\''))
        after = str_skip(after, 1);
    environ_has = str_has(before, STR("environ")) || str_has(before, STR("setenv"));
    negated = str_has_any_line(before, STR("ithout \nnstead of \nnot \nno \n`\nunset "));
    if (is_env(name) ? environ_has || is_in_command(before) ||
                           (is_diagnostic(name) && !str_has_any_line(before, STR("ithout \nnot ")))
                     : !negated && is_in_code(before, name, after))
        add_pair(h, name, value);
}

static void add_typed(struct held *h, struct str line)
{
    while (line.n) {
        struct str sentence = str_next_sentence(&line);

        if (is_hint(sentence))
            continue;
        add_removed(h, sentence);
        for (size_t i = 1; i < sentence.n; i++)
            if (sentence.p[i] == '=')
                add_at(h, sentence, i);
    }
}

/* "[__recompiles]" is in each line of what TORCH_LOGS=recompiles prints; vLLM's lines begin with their level. */
static void add_shown(struct held *h, struct str line)
{
    static const struct str open = STR_INIT("[__");
    ptrdiff_t at = str_find(line, open);
    struct str rest = str_skip(line, at < 0 ? line.n : (size_t)at + open.n), name = str_split(&rest, ']');

    if (at >= 0 && name.n && rest.n)
        add_pair(h, STR("TORCH_LOGS"), name);
    if (str_starts(line, STR("DEBUG ")) && str_has(line, STR(".py:")))
        add_pair(h, STR("VLLM_LOGGING_LEVEL"), STR("DEBUG"));
}

/* "aot_eager   True": a row with the result of a backend. */
static struct str backend_of_row(struct str line)
{
    static const struct str names[] = {STR_INIT("eager"), STR_INIT("aot_eager"), STR_INIT("inductor")};
    struct str rest = str_skip_any(line, "|`\"' "), name;
    size_t n = 0;

    str_consume(&rest, STR("backend="));
    rest = str_skip_any(rest, "\"'");
    while (n < rest.n && str_is_word_char(rest.p[n]))
        n++;
    name = str_take(rest, n);
    rest = str_skip_any(str_skip(rest, n), "|`\"':= \t");
    return STR_IS_ANY(name, names) && rest.n ? name : (struct str){0};
}

struct str settings_held(struct arena *a, struct str text)
{
    struct held h = {.a = a};
    struct str line, backends[3] = {{0}};
    size_t n = 0;
    bool others = false;

    while (str_next_line(&text, &line)) {
        bool of_others = others;
        struct str backend;

        line = str_trim(line);
        others = leads_others(line);
        add_shown(&h, line);
        if (of_others || others || line.n == 0 || line.p[0] == '#' || is_logged(line))
            continue;
        backend = backend_of_row(line);
        if (backend.n && n < 3 && !str_is_any(backend, backends, n))
            backends[n++] = backend;
        add_typed(&h, line);
    }
    for (size_t i = 0; n > 1 && i < n; i++)
        add_pair(&h, STR("backend"), backends[i]);
    return h.list;
}

/* --- what advice asks for ----------------------------------------------------------------------------------------- */

struct str settings_asked(struct arena *a, struct str code)
{
    struct held h = {.a = a};
    struct str rest = code;

    str_consume(&rest, STR("set "));
    str_consume(&rest, STR("%env "));
    str_consume(&rest, STR("$env:"));
    if (str_starts(rest, remove)) {
        add_removed(&h, rest);
        return h.list;
    }
    for (size_t i = 1; i < rest.n; i++) {
        struct str before = str_take(rest, i), behind = str_skip(rest, i + 1), name = name_before(&before), value;

        if (rest.p[i] != '=' || name.n == 0 || str_starts(behind, STR("=")) || strchr("<>!=", rest.p[i - 1]))
            continue;
        value = value_at(str_skip_any(behind, " "), is_env(name));
        if (value.n == 0 || str_has(value, STR("...")))
            return (struct str){0};
        add_pair(&h, name, value);
    }
    return h.list;
}

/* Settings of one name; "+dynamic" says more than "dynamic", so it is that as well. A path's folder holds the path. */
static bool holds(struct str held, struct str asked)
{
    static const struct str logs = STR_INIT("TORCH_LOGS="), removed = STR_INIT("rm ");
    struct str line, part, path = asked;

    if (has_line(held, asked))
        return true;
    if (str_consume(&path, logs)) {
        while (str_next_line(&held, &line))
            if (str_consume(&line, logs) && str_consume(&line, STR("+")) && str_eq(line, path))
                return true;
        return false;
    }
    if (!str_consume(&path, removed))
        return false;
    part = str_take(path, (size_t)(str_chr(path, '$') < 0 ? (ptrdiff_t)path.n : str_chr(path, '$')));
    while (str_next_line(&held, &line))
        if (str_consume(&line, removed) && (str_starts(path, line) || (part.n < path.n && str_starts(line, part))))
            return true;
    return false;
}

bool settings_has(struct str held, struct str asked)
{
    struct str line;

    if (asked.n == 0)
        return false;
    while (str_next_line(&asked, &line))
        if (!holds(held, line))
            return false;
    return true;
}

bool settings_has_other(struct str held, struct str asked)
{
    struct str name = str_take(asked, (size_t)(str_chr(asked, '=') + 1)), line;

    while (name.n && str_next_line(&held, &line))
        if (str_starts(line, name) && !str_eq(line, asked))
            return true;
    return false;
}
