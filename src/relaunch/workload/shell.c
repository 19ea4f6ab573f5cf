#include "relaunch/workload/shell.h"

static bool is_plain(struct str word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%^";

    for (size_t i = 0; i < word.n; i++)
        if (!memchr(plain, word.p[i], sizeof plain - 1))
            return false;
    return word.n > 0;
}

struct str shell_word(struct arena *a, struct str word)
{
    struct buf b = {0};
    struct str out;

    if (is_plain(word))
        return arena_str(a, word);
    buf_char(&b, '\'');
    for (size_t i = 0; i < word.n; i++)
        if (word.p[i] == '\'')
            buf_str(&b, STR("'\\''"));
        else
            buf_char(&b, word.p[i]);
    buf_char(&b, '\'');
    out = arena_str(a, buf_view(&b));
    buf_free(&b);
    return out;
}

struct str shell_command(struct arena *a, const setting_list *settings, const struct str *words, size_t n)
{
    struct buf b = {0};
    struct str out;

    vec_each(const struct env_setting, s, settings) if (s->unset)
        buf_printf(&b, "%s -u %.*s", b.n ? "" : "env", STR_ARG(s->name));
    vec_each(const struct env_setting, s, settings) if (!s->unset)
        buf_printf(&b, "%s%.*s=%.*s", b.n ? " " : "", STR_ARG(s->name), STR_ARG(shell_word(a, s->value)));
    for (size_t i = 0; i < n; i++)
        buf_printf(&b, "%s%.*s", b.n ? " " : "", STR_ARG(shell_word(a, words[i])));
    out = arena_str(a, buf_view(&b));
    buf_free(&b);
    return out;
}
