#include "text/versions/names_in_text.h"

#include "model/model.h"
#include "text/versions/names.h"

#include <string.h>

/* Commands, of which the table only has the module. */
static const struct {
    struct str words, since;
} commands[] = {
    {STR_INIT("torch._inductor.compiler_bisector run"), STR_INIT("2.11")}, /* before: good, bad, start, end */
    {STR_INIT("torch.cuda.memory._record_memory_history()"), STR_INIT("2.1")}, /* before: an argument was needed */
};

struct missing {
    struct str version; /* that may lack a name */
    struct named_since *out;
};

static bool take(const struct missing *s, enum name_known known, struct str name, struct str since)
{
    if (known == NAME_ABSENT)
        *s->out = (struct named_since){name, since};
    return known == NAME_ABSENT;
}

/* "torch.a.b.c(...)": some prefix of the path is a setting or a function; the rest belongs to it. */
static bool take_path(const struct missing *s, struct str path)
{
    static const enum name_kind kinds[] = {NAME_SETTING, NAME_API};
    ptrdiff_t dot;

    for (; (dot = str_rchr(path, '.')) > 0; path = str_take(path, (size_t)dot))
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            enum name_known known = names_has(kinds[i], path, s->version);

            if (known != NAME_UNKNOWN)
                return take(s, known, path, names_since(kinds[i], path));
        }
    return false;
}

/* "memory_planning" of torch.compile(options={"memory_planning": True}): the rest begins behind the first quote. */
static bool take_option(const struct missing *s, struct str rest)
{
    enum { NAME_MAX_LENGTH = 80 };
    static const char module[] = "torch._inductor.config.";
    char setting[sizeof module + NAME_MAX_LENGTH];
    ptrdiff_t n = str_find(rest, STR("\":"));
    struct str name;

    if (n <= 0 || n > NAME_MAX_LENGTH)
        return false;
    memcpy(setting, module, sizeof module - 1);
    memcpy(setting + sizeof module - 1, rest.p, (size_t)n);
    name = (struct str){setting, sizeof module - 1 + (size_t)n};
    rest = str_take(rest, (size_t)n);
    return take(s, names_has(NAME_SETTING, name, s->version), rest, names_since(NAME_SETTING, name));
}

/* The keyword arguments of torch.compile(model, dynamic=True). */
static bool take_keywords(const struct missing *s, struct str arguments)
{
    static const struct str function = STR_INIT("torch.compile");
    size_t depth = 1, begin = 0;

    for (size_t i = 0; i < arguments.n && depth > 0; i++) {
        char c = arguments.p[i];

        if (c == '(' || c == '{' || c == '[')
            depth++;
        else if (c == ')' || c == '}' || c == ']')
            depth--;
        if (c == '"' && depth == 2 && take_option(s, str_skip(arguments, i + 1)))
            return true;
        if (c == '=' && depth == 1) {
            struct str word = str_take(str_skip(arguments, begin), i - begin);

            if (take(s, names_has_parameter(function, word, s->version), word, names_parameter_since(function, word)))
                return true;
        }
        begin = str_is_word_char(c) ? begin : i + 1;
    }
    return false;
}

/*
 * A word in capitals. The table is complete for variables that PyTorch's Python code and the headers of c10d read;
 * others are in its libraries and in Triton.
 */
static bool take_variable(const struct missing *s, struct str word)
{
    static const struct str complete[] = {STR_INIT("TORCHDYNAMO_"),   STR_INIT("TORCHINDUCTOR_"),
                                          STR_INIT("TORCH_LOGS"),     STR_INIT("TORCH_TRACE"),
                                          STR_INIT("TORCH_COMPILE_"), STR_INIT("TORCH_NCCL_")};

    return STR_STARTS_ANY(word, complete) &&
           take(s, names_has(NAME_VARIABLE, word, s->version), word, names_since(NAME_VARIABLE, word));
}

static bool take_commands(const struct missing *s, struct str text)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        bool later = pytorch_version(commands[i].since) > pytorch_version(s->version);
        enum name_known known = later ? NAME_ABSENT : NAME_PRESENT;

        if (str_has(text, commands[i].words) && take(s, known, commands[i].words, commands[i].since))
            return true;
    }
    return false;
}

/*
 * "`mark_dynamic`", without its module, in a sentence that does not say itself which versions have it. A name that any
 * of the modules has is there; words without an underscore may be anything.
 */
static bool take_bare(const struct missing *s, struct str text, struct str name)
{
    static const struct {
        enum name_kind kind;
        const char *module;
    } modules[] = {
        {NAME_API, "torch._dynamo."},
        {NAME_API, "torch._dynamo.decorators."},
        {NAME_API, "torch.compiler."},
        {NAME_API, "torch.library."},
        {NAME_API, "torch.export."},
        {NAME_API, "torch.nn.attention."},
        {NAME_API, "torch."},
        {NAME_SETTING, "torch._dynamo.config."},
        {NAME_SETTING, "torch._inductor.config."},
        {NAME_SETTING, "torch._inductor.config.triton."},
        {NAME_SETTING, "torch._functorch.config."},
        {NAME_SETTING, "torch.compiler.config."},
    };
    static const struct str says[] = {STR_INIT("and later"), STR_INIT("up to 2."), STR_INIT("before 2."),
                                      STR_INIT("before that"), STR_INIT("since 2.")};
    enum { NAME_MAX_LENGTH = 60 };
    char path[2 * NAME_MAX_LENGTH];
    struct named_since found = {0};

    if (name.n > NAME_MAX_LENGTH || str_chr(name, '_') <= 0 || STR_HAS_ANY(text, says))
        return false;
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        size_t n = strlen(modules[i].module);
        struct str whole = {path, n + name.n}, since;
        enum name_known known;

        memcpy(path, modules[i].module, n);
        memcpy(path + n, name.p, name.n);
        known = names_has(modules[i].kind, whole, s->version);
        if (known == NAME_PRESENT)
            return false;
        since = names_since(modules[i].kind, whole);
        if (known == NAME_ABSENT && (found.name.n == 0 || pytorch_version(since) < pytorch_version(found.since)))
            found = (struct named_since){name, since};
    }
    return found.name.n && take(s, NAME_ABSENT, found.name, found.since);
}

/* Words of letters, digits and dots, one by one. */
bool names_missing(struct str text, struct str version, struct named_since *out)
{
    static const struct str compile = STR_INIT("torch.compile(");
    const struct missing *s = &(struct missing){version, out};

    *out = (struct named_since){0};
    for (size_t i = 0, n; pytorch_version(version) && i < text.n; i += n ? n : 1) {
        struct str rest = str_skip(text, i);

        for (n = 0; n < rest.n && (str_is_word_char(rest.p[n]) || rest.p[n] == '.');)
            n++;
        if (str_starts(rest, STR("torch.")) && take_path(s, str_take(rest, n)))
            return true;
        if (str_starts(rest, compile) && take_keywords(s, str_skip(rest, compile.n)))
            return true;
        if (n && i && text.p[i - 1] == '`' && take_bare(s, text, str_take(rest, n)))
            return true;
        if (n > 4 && rest.p[0] >= 'A' && rest.p[0] <= 'Z' && take_variable(s, str_take(rest, n)))
            return true;
    }
    return pytorch_version(version) && take_commands(s, text);
}
