#include "output/html/mustache_parse.h"

#include <stdarg.h>
#include <stdio.h>

/* A section whose closing tag has not been read yet is in `open`, by the index of its node. */
struct mustache_parser {
    struct arena *arena;
    struct mustache_template *t;
    struct str *error;
    const char *at, *end; /* the text that has not been read yet */
    size_t open[MUSTACHE_NESTING_MAX];
    size_t depth;
};

struct tag {
    const char *begin, *end; /* with the braces */
    char sigil;              /* one of # ^ / > {, or 0 for an escaped value */
    struct str name;
};

/* The line number of a place in the template's text, from 1. */
static unsigned line_of(const struct mustache_template *t, const char *at)
{
    unsigned n = 1;

    for (const char *c = t->text.p; c < at; c++)
        n += *c == '\n';
    return n;
}

static struct str error_text(struct arena *a, const struct mustache_template *t, const char *at, const char *fmt,
                             va_list ap)
{
    char text[200];

    vsnprintf(text, sizeof text, fmt, ap);
    return arena_printf(a, STR_FMT ":%u: %s", STR_ARG(t->name), line_of(t, at), text);
}

struct str mustache_error(struct arena *a, const struct mustache_template *t, const char *at, const char *fmt, ...)
{
    struct str text;
    va_list ap;

    va_start(ap, fmt);
    text = error_text(a, t, at, fmt, ap);
    va_end(ap);
    return text;
}

__attribute__((format(printf, 3, 4))) static bool fail(struct mustache_parser *p, const char *at, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    *p->error = error_text(p->arena, p->t, at, fmt, ap);
    va_end(ap);
    return false;
}

/* --- tags --------------------------------------------------------------------------------------------------------- */

enum tag_found { NO_TAG, TAG, TAG_UNCLOSED };

/* The next tag in the text. If it is unclosed, only tag->begin is set. */
static enum tag_found find_tag(struct str text, struct tag *tag)
{
    ptrdiff_t at = str_find(text, STR("{{")), length;
    struct str rest, close;

    if (at < 0)
        return NO_TAG;
    *tag = (struct tag){.begin = text.p + at};
    rest = str_skip(text, (size_t)at + 2);
    if (rest.n && strchr("#^/>{", rest.p[0])) {
        tag->sigil = rest.p[0];
        rest = str_skip(rest, 1);
    }
    close = tag->sigil == '{' ? STR("}}}") : STR("}}");
    length = str_find(rest, close);
    if (length < 0)
        return TAG_UNCLOSED;
    tag->name = str_trim(str_take(rest, (size_t)length));
    tag->end = rest.p + length + close.n;
    return TAG;
}

/* Strict where the mustache specification has more: a template that uses it is a mistake. */
static bool check_name(struct mustache_parser *p, const struct tag *tag)
{
    struct str name = tag->name;

    if (name.n == 0)
        return fail(p, tag->begin, "a tag without a name");
    if (str_eq(name, STR(".")))
        return true;
    for (size_t i = 0; i < name.n; i++)
        if (!str_is_word_char(name.p[i]))
            return fail(p, tag->begin, "a name only has letters, digits and '_'");
    return true;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Where the line of `at` begins, if only blanks precede `at` on it; else NULL. */
static const char *line_begin(const struct mustache_parser *p, const char *at)
{
    while (at > p->t->text.p && is_blank(at[-1]))
        at--;
    return at == p->t->text.p || at[-1] == '\n' ? at : NULL;
}

/* Where the next line begins, if only blanks follow on this one; else NULL. The end of the text ends a line too. */
static const char *next_line(const struct mustache_parser *p, const char *at)
{
    while (at < p->end && is_blank(*at))
        at++;
    if (p->end - at >= 2 && at[0] == '\r' && at[1] == '\n')
        return at + 2;
    if (at < p->end && *at != '\n')
        return NULL;
    return at < p->end ? at + 1 : at;
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static void add_node(struct mustache_parser *p, enum mustache_kind kind, const char *at, struct str text)
{
    struct mustache_node *node = vec_add(p->arena, &p->t->nodes);

    node->kind = kind;
    node->end = (uint32_t)p->t->nodes.n;
    node->at = at;
    node->text = text;
}

static bool add_named(struct mustache_parser *p, enum mustache_kind kind, const struct tag *tag)
{
    if (!check_name(p, tag))
        return false;
    add_node(p, kind, tag->begin, arena_str(p->arena, tag->name));
    return true;
}

static void add_text(struct mustache_parser *p, const char *to)
{
    if (p->at < to)
        add_node(p, MUSTACHE_TEXT, p->at, str_range(p->at, to));
    p->at = to;
}

/*
 * Adds the text before the tag and moves past the tag. If the tag is alone on its line, the whole line is left out:
 * that is the rule of the mustache specification for every tag but values.
 */
static void take_line(struct mustache_parser *p, const struct tag *tag)
{
    const char *begin = line_begin(p, tag->begin), *next = next_line(p, tag->end);
    bool alone = begin && next;

    add_text(p, alone ? begin : tag->begin);
    p->at = alone ? next : tag->end;
}

static bool add_value(struct mustache_parser *p, const struct tag *tag)
{
    add_text(p, tag->begin);
    p->at = tag->end;
    return add_named(p, tag->sigil ? MUSTACHE_RAW : MUSTACHE_VALUE, tag);
}

/* The specification would indent every line of an indented partial; no template of ours needs that. */
static bool add_partial(struct mustache_parser *p, const struct tag *tag)
{
    const char *begin = line_begin(p, tag->begin);

    if (begin && begin < tag->begin && next_line(p, tag->end))
        return fail(p, tag->begin, "a partial on its own line is indented");
    take_line(p, tag);
    return add_named(p, MUSTACHE_PARTIAL, tag);
}

static bool open_section(struct mustache_parser *p, const struct tag *tag)
{
    take_line(p, tag);
    if (!add_named(p, tag->sigil == '^' ? MUSTACHE_INVERTED : MUSTACHE_SECTION, tag))
        return false;
    if (p->depth == MUSTACHE_NESTING_MAX)
        return fail(p, tag->begin, "nested deeper than %d", MUSTACHE_NESTING_MAX);
    p->open[p->depth++] = p->t->nodes.n - 1;
    return true;
}

static bool close_section(struct mustache_parser *p, const struct tag *tag)
{
    struct mustache_node *section;

    if (p->depth == 0)
        return fail(p, tag->begin, "{{/" STR_FMT "}} closes nothing", STR_ARG(tag->name));
    section = &p->t->nodes.v[p->open[p->depth - 1]];
    if (!str_eq(section->text, tag->name))
        return fail(p, tag->begin, "{{/" STR_FMT "}} cannot close \"" STR_FMT "\", opened in line %u",
                    STR_ARG(tag->name), STR_ARG(section->text), line_of(p->t, section->at));
    take_line(p, tag);
    p->t->nodes.v[p->open[--p->depth]].end = (uint32_t)p->t->nodes.n;
    return true;
}

static bool add_tag(struct mustache_parser *p, const struct tag *tag)
{
    switch (tag->sigil) {
    case '#':
    case '^':
        return open_section(p, tag);
    case '/':
        return close_section(p, tag);
    case '>':
        return add_partial(p, tag);
    default:
        return add_value(p, tag);
    }
}

bool mustache_parse(struct mustache_template *t, struct arena *a, struct str *error)
{
    struct mustache_parser p = {.arena = a, .t = t, .error = error};
    const struct mustache_node *open;
    enum tag_found found;
    struct tag tag;

    if (!t->text.p)
        t->text = STR("");
    p.at = t->text.p;
    p.end = p.at + t->text.n;
    while ((found = find_tag(str_range(p.at, p.end), &tag)) == TAG)
        if (!add_tag(&p, &tag))
            return false;
    if (found == TAG_UNCLOSED)
        return fail(&p, tag.begin, "the tag is not closed");
    add_text(&p, p.end);
    if (p.depth == 0)
        return true;
    open = &t->nodes.v[p.open[p.depth - 1]];
    return fail(&p, open->at, "\"" STR_FMT "\" is not closed", STR_ARG(open->text));
}
