#include "analysis/find/shell_settings.h"

/* The length of "NAME=" at the beginning; 0 if there is none. */
static size_t name_length(struct str code)
{
    size_t n = 0;

    while (n < code.n && ((code.p[n] >= 'A' && code.p[n] <= 'Z') || code.p[n] == '_' || (n && str_is_digit(code.p[n]))))
        n++;
    return n > 1 && n + 1 < code.n && code.p[n] == '=' ? n + 1 : 0;
}

/* "A=1" of "A=1 B=2", with blanks in quotes and brackets. */
static struct str take_setting(struct str *code)
{
    struct str setting;
    size_t n = 0;
    int depth = 0;
    bool quoted = false;

    for (; n < code->n && (code->p[n] != ' ' || depth > 0 || quoted); n++) {
        quoted ^= code->p[n] == '"';
        depth += code->p[n] == '(' ? 1 : code->p[n] == ')' ? -1 : 0;
    }
    setting = str_take(*code, n);
    *code = str_trim(str_skip(*code, n));
    return setting;
}

static const struct str home = STR_INIT("$HOME/");

/* Both keep quotes as part of the value. */
static struct str without_quotes(struct str value)
{
    bool quoted = value.n > 1 && value.p[0] == '"' && value.p[value.n - 1] == '"';

    return quoted ? str_drop(str_skip(value, 1), 1) : value;
}

/* cmd has another name for the home directory. */
static struct str value_on_windows(struct arena *a, struct str value)
{
    char *p;

    value = without_quotes(value);
    if (!str_starts(value, home))
        return value;
    value = str_skip(value, home.n);
    p = arena_alloc(a, value.n + 1);
    for (size_t i = 0; i < value.n; i++)
        p[i] = value.p[i] == '/' ? '\\' : value.p[i];
    return arena_printf(a, "%%USERPROFILE%%\\%.*s", (int)value.n, p);
}

/* A value is an expression there: a text is quoted. */
static struct str value_in_powershell(struct arena *a, struct str value)
{
    struct str of_cmd = value_on_windows(a, value);
    static const struct str profile = STR_INIT("%USERPROFILE%");

    if (str_consume(&of_cmd, profile))
        return arena_printf(a, "\"$env:USERPROFILE%.*s\"", STR_ARG(of_cmd));
    return arena_printf(a, "\"%.*s\"", STR_ARG(of_cmd));
}

/* %env does not expand variables of the environment. */
static struct str value_in_notebook(struct arena *a, struct str value)
{
    value = without_quotes(value);
    return str_starts(value, home) ? arena_printf(a, "/tmp/%.*s", STR_ARG(str_skip(value, home.n))) : value;
}

/* What sets a variable, and what runs a command. */
static const struct shell {
    const char *set, *run;
    struct str (*value)(struct arena *a, struct str value);
} windows = {"set ", "", value_on_windows}, notebook = {"%env ", "!", value_in_notebook},
  powershell = {"$env:", "", value_in_powershell};

/* "set A=1` and `set B=2" of "A=1 B=2", between backticks; the code itself if it sets nothing. */
static struct str code_in(const struct shell *shell, struct arena *a, struct str code)
{
    struct str out = {0};

    for (size_t n; (n = name_length(code)) > 0;) {
        struct str setting = take_setting(&code);

        out = arena_printf(a, "%.*s%s%s%.*s%.*s", STR_ARG(out), out.n ? "` and `" : "", shell->set, (int)n, setting.p,
                           STR_ARG(shell->value(a, str_skip(setting, n))));
    }
    if (out.n && code.n)
        return arena_printf(a, "%.*s`, then `%s%.*s", STR_ARG(out), shell->run, STR_ARG(code));
    return out.n ? out : code;
}

/* The code between backticks in another form; the code itself where it stays. */
typedef struct str (*code_in_form)(const struct shell *shell, struct arena *a, struct str code);

static struct str in_form(code_in_form form, const struct shell *shell, struct arena *a, struct str words)
{
    struct str rest = words, out = {0};
    ptrdiff_t begin, end;
    bool changed = false;

    while ((begin = str_chr(rest, '`')) >= 0 && (end = str_chr(str_skip(rest, (size_t)begin + 1), '`')) >= 0) {
        struct str code = str_take(str_skip(rest, (size_t)begin + 1), (size_t)end);
        struct str shown = form(shell, a, code);

        changed |= shown.p != code.p;
        /* "set `set A=1`" */
        if (shown.p != code.p && str_starts(shown, STR("set ")) &&
            str_ends(str_take(rest, (size_t)begin), STR(" set ")))
            begin -= sizeof "set " - 1;
        out = arena_printf(a, "%.*s%.*s`%.*s`", STR_ARG(out), (int)begin, rest.p, STR_ARG(shown));
        rest = str_range(code.p + code.n + 1, rest.p + rest.n);
    }
    return changed ? arena_printf(a, "%.*s%.*s", STR_ARG(out), STR_ARG(rest)) : words;
}

static struct str settings_in(const struct shell *shell, struct arena *a, struct str words)
{
    return in_form(code_in, shell, a, words);
}

struct str shell_settings_of_windows(struct arena *a, struct str words)
{
    return settings_in(&windows, a, words);
}

struct str shell_settings_of_powershell(struct arena *a, struct str words)
{
    return settings_in(&powershell, a, words);
}

struct str shell_settings_of_notebook(struct arena *a, struct str words)
{
    struct str out = settings_in(&notebook, a, words);

    return out.p == words.p ? words
                            : arena_printf(a, "%.*s%s `%%env` only helps before `import torch`: restart the kernel.",
                                           STR_ARG(out), str_ends(out, STR(".")) ? "" : ".");
}

/* A value of Python as JSON has it; empty for what is more than a word or a number. */
static struct str value_in_json(struct str value)
{
    static const struct {
        struct str python, json;
    } words[] = {{STR_INIT("True"), STR_INIT("true")},
                 {STR_INIT("False"), STR_INIT("false")},
                 {STR_INIT("None"), STR_INIT("null")}};
    size_t n = 0;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (str_eq(value, words[i].python))
            return words[i].json;
    while (n < value.n && str_is_digit(value.p[n]))
        n++;
    return n == value.n || (value.n > 1 && value.p[0] == '"' && str_ends(value, STR("\""))) ? value : (struct str){0};
}

/*
 * `--compilation-config '{"inductor_compile_config": {"A": 1}}'` of "torch._inductor.config.A = 1". What holds for the
 * process as a whole, such as its compile workers, is no option of one compile.
 */
static struct str code_in_vllm(const struct shell *shell, struct arena *a, struct str code)
{
    static const struct str of_process[] = {STR_INIT("compile_threads"), STR_INIT("worker_start_method"),
                                            STR_INIT("quiesce_async_compile_pool")};
    struct str rest = code, name, value;
    ptrdiff_t at;

    (void)shell;
    if (!str_consume(&rest, STR("torch._inductor.config.")) || (at = str_find(rest, STR(" = "))) < 0)
        return code;
    name = str_take(rest, (size_t)at);
    value = value_in_json(str_skip(rest, (size_t)at + 3));
    if (value.n == 0 || STR_IS_ANY(name, of_process))
        return code;
    return arena_printf(a, "--compilation-config '{\"inductor_compile_config\": {\"%.*s\": %.*s}}'", STR_ARG(name),
                        STR_ARG(value));
}

struct str shell_settings_of_vllm(struct arena *a, struct str words)
{
    return in_form(code_in_vllm, NULL, a, words);
}

struct str shell_settings_of_node(struct arena *a, struct str words)
{
    static const struct str python[] = {STR_INIT("`torch.compile(dynamic=False)`"), STR_INIT("`dynamic=False`")};

    for (size_t i = 0; i < sizeof python / sizeof *python; i++)
        for (ptrdiff_t at; (at = str_find(words, python[i])) >= 0;)
            words = arena_printf(a, "%.*s`dynamic: false` in the node that compiles%.*s", (int)at, words.p,
                                 STR_ARG(str_skip(words, (size_t)at + python[i].n)));
    return words;
}
