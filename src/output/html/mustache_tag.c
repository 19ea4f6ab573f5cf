#include "output/html/mustache_tag.h"

bool mustache_is_sigil(char c)
{
    return c && strchr("#^/><$!=&{", c);
}

/*
 * Where the content of a tag ends, or -1. Two kinds of tag have a twin of their sigil before the right delimiter; a
 * delimiter without it is part of the content, as in {{=}} }}=}}.
 */
static ptrdiff_t content_length(struct str s, struct str right, char twin)
{
    size_t from = 0;
    ptrdiff_t at;

    while ((at = str_find(str_skip(s, from), right)) >= 0) {
        from += (size_t)at;
        if (!twin)
            return (ptrdiff_t)from;
        if (from > 0 && s.p[from - 1] == twin)
            return (ptrdiff_t)from - 1;
        from++;
    }
    return -1;
}

static char twin_of(char sigil)
{
    switch (sigil) {
    case '{':
        return '}';
    case '=':
        return '=';
    default:
        return '\0';
    }
}

enum mustache_found mustache_tag_find(struct str text, const struct mustache_delimiters *d, struct mustache_tag *tag)
{
    ptrdiff_t at = str_find(text, d->left), length;
    struct str rest;
    char twin;

    if (at < 0)
        return MUSTACHE_NO_TAG;
    *tag = (struct mustache_tag){.begin = text.p + at};
    rest = str_skip(text, (size_t)at + d->left.n);
    if (rest.n && mustache_is_sigil(rest.p[0])) {
        tag->sigil = rest.p[0];
        rest = str_skip(rest, 1);
    }
    twin = twin_of(tag->sigil);
    length = content_length(rest, d->right, twin);
    if (length < 0)
        return MUSTACHE_TAG_UNCLOSED;
    tag->content = str_trim(str_take(rest, (size_t)length));
    tag->end = rest.p + length + (twin ? 1 : 0) + d->right.n;
    return MUSTACHE_TAG;
}

/* Control characters count as blanks: nothing in a template of ours has them inside a tag. */
static size_t word_length(struct str s)
{
    size_t n = 0;

    while (n < s.n && (unsigned char)s.p[n] > ' ')
        n++;
    return n;
}

static bool is_delimiter(struct str s)
{
    return s.n && word_length(s) == s.n && !str_has(s, STR("="));
}

bool mustache_tag_delimiters(struct str content, struct mustache_delimiters *d)
{
    struct str left = str_take(content, word_length(content)), right = str_trim(str_skip(content, left.n));

    if (!is_delimiter(left) || !is_delimiter(right))
        return false;
    *d = (struct mustache_delimiters){left, right};
    return true;
}
