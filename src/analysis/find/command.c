#include "analysis/find/command.h"

static bool is_plain(char c)
{
    return str_is_word_char(c) || (c && strchr("/.-+:,=@", c));
}

/* The path of an input, quoted as one word of a shell. */
static struct str word(struct arena *a, struct str s)
{
    struct str out = {"'", 1}, piece;
    bool plain = s.n > 0;

    for (size_t i = 0; i < s.n; i++)
        plain &= is_plain(s.p[i]);
    if (plain)
        return s;
    while (str_chr(s, '\'') >= 0) {
        piece = str_split(&s, '\'');
        out = arena_printf(a, "%.*s%.*s'\\''", STR_ARG(out), STR_ARG(piece));
    }
    return arena_printf(a, "%.*s%.*s'", STR_ARG(out), STR_ARG(s));
}

struct str command_show(struct arena *a, const struct artifact *artifact)
{
    struct str path = word(a, artifact->input->path);
    char hex[DIGEST_HEX + 1];

    if (!(artifact->payload.flags & PAYLOAD_DIGEST))
        return arena_printf(a, "pt2trace show %.*s :%llu", STR_ARG(path), (unsigned long long)artifact->line);
    digest_hex(&artifact->payload.digest, hex);
    return arena_printf(a, "pt2trace show %.*s %s", STR_ARG(path), hex);
}

struct str command_show_compile(struct arena *a, const struct compile *c)
{
    return arena_printf(a, "pt2trace show %.*s %.*s", STR_ARG(word(a, c->process->input->path)),
                        STR_ARG(compile_id_print(a, c->id)));
}

struct str command_run_again(struct arena *a, const struct experiment *x, const char *option)
{
    return arena_printf(a, "pt2trace run %s -c %.*s", option, STR_ARG(word(a, x->workload_file)));
}
