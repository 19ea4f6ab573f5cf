#include "text/config_text.h"

enum { HEAD_LINES = 400 }; /* real heads have up to 80; the graph below them has thousands */

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

/* torch._inductor.config.triton.cudagraphs = True; other assignments to names in torch are no settings. */
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
