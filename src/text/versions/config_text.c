#include "text/versions/config_text.h"

enum { HEAD_LINES = 400 }; /* a real head has up to 80 lines; the graph below it has thousands */

/* os.environ['NAME'] = 'VALUE' */
static bool parse_environment(struct str line, struct setting *out)
{
    struct str rest;
    char quote;

    if (!str_consume(&line, STR("os.environ[")) || line.n == 0)
        return false;
    quote = line.p[0];
    if (quote != '\'' && quote != '"')
        return false;
    rest = str_skip(line, 1);
    out->name = str_split(&rest, quote);
    out->environment = true;
    if (!str_consume(&rest, STR("] = ")))
        return false;
    out->value = str_trim(rest);
    return true;
}

/* torch._inductor.config.triton.cudagraphs = True; assignments to other names in torch are not settings. */
static bool parse_config(struct str line, struct setting *out)
{
    ptrdiff_t at = str_find(line, STR(" = "));

    if (!str_starts(line, STR("torch.")) || at < 0 || !str_has(str_take(line, (size_t)at), STR("config.")))
        return false;
    out->name = str_take(line, (size_t)at);
    out->value = str_trim(str_skip(line, (size_t)at + 3));
    out->environment = false;
    return str_chr(out->name, ' ') < 0 && str_chr(out->name, '(') < 0;
}

void settings_parse(struct arena *a, struct str text, struct settings *out)
{
    struct str line;

    for (unsigned i = 0; i < HEAD_LINES && str_next_line(&text, &line); i++) {
        struct setting s = {0};

        if (str_starts(line, STR("class ")))
            break;
        if (parse_environment(line, &s) || parse_config(line, &s))
            vec_push(a, &out->list, s);
    }
}

/* Python writes "None" for a missing value. */
static struct str value_of(struct str line)
{
    struct str value = str_trim(line);

    return str_eq(value, STR("None")) ? (struct str){0} : value;
}

void build_parse(struct str text, struct build *out)
{
    struct str line;
    bool gpu_follows = false;

    *out = (struct build){0};
    for (unsigned i = 0; i < HEAD_LINES && str_next_line(&text, &line); i++) {
        if (str_starts(line, STR("class ")))
            break;
        if (str_consume(&line, STR("# torch version: ")))
            out->pytorch = value_of(line);
        else if (str_consume(&line, STR("# torch cuda version: ")))
            out->cuda = value_of(line);
        else if (str_consume(&line, STR("# torch git version: ")))
            out->commit = value_of(line);
        else if (gpu_follows && str_consume(&line, STR("# ")))
            out->gpu = str_trim(line);
        gpu_follows = str_starts(line, STR("# GPU Hardware Info:"));
    }
}
