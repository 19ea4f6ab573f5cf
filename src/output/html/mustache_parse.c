#include "output/html/mustache_parse.h"

#include "output/html/mustache_tag.h"

#include <stdarg.h>
#include <stdio.h>

/*
 * Lines. The specification has two sorts of tags: those that are replaced by a value are text like any other, and the
 * line of any other tag is not output when nothing else stands on it. What was before such a tag, its indentation,
 * then goes before each line of what the tag stands for. take_tag() does this for all tags but those of inheritance:
 *
 * - What is written between {{<parent}} and {{/parent}} is output elsewhere, so both tags may share a line with it and
 *   with each other. close_parent() decides.
 * - An argument of a parent is written with the indentation of where it is written, and output with the indentation of
 * where it is used. The first is taken off its lines here (`strip`), the second is put on when it is rendered.
 *
 * To put indentation on, rendering must know where lines begin, and only the parser sees that: a text node says that
 * it begins a line, and a line that begins with a tag gets an empty text node before it.
 */

/* A section, parent or block whose closing tag is still to come. */
struct open_node {
    size_t node;
    struct str strip; /* what holds again behind it */
};

struct parser {
    struct arena *arena;
    struct map *names;
    struct mustache_template *t;
    struct str *error;
    struct mustache_delimiters delimiters;
    const char *at, *end; /* what is still to be read */
    struct str strip;     /* indentation of the argument being read, which is taken off each of its lines */
    struct open_node open[MUSTACHE_NESTING_MAX];
    size_t depth;
};

/* The line of a place in the template's text, from 1. */
static unsigned line_of(const struct mustache_template *t, const char *at)
{
    unsigned n = 1;

    for (const char *c = t->text.p; c < at; c++)
        n += *c == '\n';
    return n;
}

static struct str word_error(struct arena *a, const struct mustache_template *t, const char *at, const char *fmt,
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
    text = word_error(a, t, at, fmt, ap);
    va_end(ap);
    return text;
}

__attribute__((format(printf, 3, 4))) static bool fail(struct parser *p, const char *at, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    *p->error = word_error(p->arena, p->t, at, fmt, ap);
    va_end(ap);
    return false;
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct str blanks_at(const struct parser *p, const char *at)
{
    const char *to = at;

    while (to < p->end && is_blank(*to))
        to++;
    return str_range(at, to);
}

static bool at_line_begin(const struct parser *p, const char *at)
{
    return at == p->t->text.p || at[-1] == '\n';
}

/* Whether only blanks stand before `at` on its line. */
static bool begins_line(const struct parser *p, const char *at, struct str *blanks)
{
    const char *from = at;

    while (from > p->t->text.p && is_blank(from[-1]))
        from--;
    *blanks = str_range(from, at);
    return at_line_begin(p, from);
}

/* Where the next line begins when only blanks follow on this one, else NULL. The end of the text ends a line too. */
static const char *next_line(const struct parser *p, const char *at)
{
    struct str blanks = blanks_at(p, at);

    at = blanks.p + blanks.n;
    if (p->end - at >= 2 && at[0] == '\r' && at[1] == '\n')
        return at + 2;
    if (at < p->end && *at != '\n')
        return NULL;
    return at < p->end ? at + 1 : at;
}

/* A line, or blanks at its beginning, without the indentation that an argument loses where it is written. */
static struct str strip(const struct parser *p, struct str line)
{
    size_t n = 0;

    while (n < line.n && n < p->strip.n && line.p[n] == p->strip.p[n])
        n++;
    return str_skip(line, n);
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static struct mustache_node *add_node(struct parser *p, enum mustache_kind kind)
{
    struct mustache_node *node = vec_add(p->arena, &p->t->nodes);

    node->kind = kind;
    node->end = (uint32_t)p->t->nodes.n;
    node->at = p->at;
    return node;
}

/* Valid until the next node is added. */
static struct mustache_node *innermost(const struct parser *p)
{
    return p->depth ? &p->t->nodes.v[p->open[p->depth - 1].node] : NULL;
}

/* Directly in a parent there are arguments; what else is there is not output. */
static bool in_parent(const struct parser *p)
{
    const struct mustache_node *in = innermost(p);

    return in && in->kind == MUSTACHE_PARENT;
}

/* Also true at the beginning of a block: where the block is used decides whether a line begins there. */
static bool starts_line(const struct parser *p, const char *at)
{
    const struct mustache_node *in = innermost(p);

    return at_line_begin(p, at) || (in && in->kind == MUSTACHE_BLOCK && in == p->t->nodes.v + p->t->nodes.n - 1);
}

static void add_text_node(struct parser *p, struct str text, bool line_start)
{
    struct mustache_node *node = add_node(p, MUSTACHE_TEXT);

    node->text = text;
    node->line_start = line_start;
}

/* Moves to `to` and adds the text on the way; text directly in a parent is a comment. */
static void add_text(struct parser *p, const char *to)
{
    while (p->at < to && !in_parent(p)) {
        struct str text = str_range(p->at, to);
        ptrdiff_t newline = p->strip.n ? str_chr(text, '\n') : -1;

        if (newline >= 0)
            text = str_take(text, (size_t)newline + 1);
        add_text_node(p, at_line_begin(p, p->at) ? strip(p, text) : text, starts_line(p, p->at));
        p->at = text.p + text.n;
    }
    p->at = to;
}

/* The same before a tag that stays on its line: when the tag begins the line, an empty text says so. */
static void add_text_inline(struct parser *p, const char *to)
{
    add_text(p, to);
    if (!in_parent(p) && starts_line(p, to))
        add_text_node(p, str_range(to, to), true);
}

/*
 * Adds the text before the tag and moves behind the tag. True when the tag stands alone on its line: then the line is
 * not output, only its indentation is known.
 */
static bool take_tag(struct parser *p, const struct mustache_tag *tag, struct str *indent)
{
    const char *next = next_line(p, tag->end);
    struct str blanks;
    bool alone = begins_line(p, tag->begin, &blanks) && next;

    if (alone)
        add_text(p, blanks.p);
    else
        add_text_inline(p, tag->begin);
    *indent = alone ? strip(p, blanks) : (struct str){0};
    p->at = alone ? next : tag->end;
    return alone;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* Strict where the specification shrugs: a template of ours that has such a name is a slip of the pen. */
static bool check_name(struct parser *p, const struct mustache_tag *tag, struct str name)
{
    if (name.n == 0)
        return fail(p, tag->begin, "a tag without a name");
    if (mustache_is_sigil(name.p[0])) /* as in {{ #x}}, which only looks like a section */
        return fail(p, tag->begin, "a name cannot begin with '%c'", name.p[0]);
    for (size_t i = 0; i < name.n; i++)
        if ((unsigned char)name.p[i] <= ' ')
            return fail(p, tag->begin, "a blank or control character in a name");
    return true;
}

/* Parts are interned to be NUL-terminated, which is what jansson wants of a key. */
static bool parse_key(struct parser *p, const struct mustache_tag *tag, struct str name, struct mustache_key *key)
{
    size_t dots = 0;

    if (str_eq(name, STR(".")))
        return true;
    for (size_t i = 0; i < name.n; i++)
        dots += name.p[i] == '.';
    key->parts = ARENA_ARRAY(p->arena, const char *, dots + 1);
    while (key->n <= dots) {
        struct str part = str_split(&name, '.');

        if (part.n == 0)
            return fail(p, tag->begin, "an empty part in a dotted name");
        key->parts[key->n++] = intern(p->names, part).p;
    }
    return true;
}

/* The node of a tag, with a key if its name is one. NULL on a bad name. */
static struct mustache_node *add_tag_node(struct parser *p, const struct mustache_tag *tag, enum mustache_kind kind,
                                          struct str name, bool keyed)
{
    struct mustache_key key = {0};
    struct mustache_node *node;

    if (!check_name(p, tag, name) || (keyed && !parse_key(p, tag, name, &key)))
        return NULL;
    node = add_node(p, kind);
    node->at = tag->begin;
    node->name = intern(p->names, name);
    node->key = key;
    return node;
}

/* A node whose name is a key into the data. */
static struct mustache_node *add_keyed(struct parser *p, const struct mustache_tag *tag, enum mustache_kind kind)
{
    return add_tag_node(p, tag, kind, tag->content, true);
}

/* A node whose name is a template's or a block's, or behind '*' a key to it. */
static struct mustache_node *add_named(struct parser *p, const struct mustache_tag *tag, enum mustache_kind kind)
{
    struct str name = tag->content;
    bool dynamic = kind != MUSTACHE_BLOCK && str_consume(&name, STR("*"));
    struct mustache_node *node = add_tag_node(p, tag, kind, dynamic ? str_trim(name) : name, dynamic);

    if (node)
        node->dynamic = dynamic;
    return node;
}

/* --- tags that open and close ------------------------------------------------------------------------------------- */

/* The last node holds what follows; `strip_inside` is in force there. */
static bool open_last(struct parser *p, const struct mustache_tag *tag, struct str strip_inside)
{
    if (p->depth == MUSTACHE_NESTING_MAX)
        return fail(p, tag->begin, "nested deeper than %d", MUSTACHE_NESTING_MAX);
    p->open[p->depth++] = (struct open_node){p->t->nodes.n - 1, p->strip};
    p->strip = strip_inside;
    return true;
}

static bool open_section(struct parser *p, const struct mustache_tag *tag)
{
    struct str indent;

    take_tag(p, tag, &indent);
    return add_keyed(p, tag, tag->sigil == '^' ? MUSTACHE_INVERTED : MUSTACHE_SECTION) &&
           open_last(p, tag, p->strip);
}

/*
 * Indentation before the tag gets a text node of its own, directly before the parent's: only the closing tag shows
 * whether it is text, or belongs to the parent.
 */
static bool open_parent(struct parser *p, const struct mustache_tag *tag)
{
    struct mustache_node *node;
    struct str blanks;
    bool begins = begins_line(p, tag->begin, &blanks);

    if (begins) {
        add_text(p, blanks.p);
        add_text_node(p, strip(p, blanks), true);
    } else {
        add_text_inline(p, tag->begin);
    }
    p->at = tag->end;
    node = add_named(p, tag, MUSTACHE_PARENT);
    if (!node)
        return false;
    node->own_line = begins;
    return open_last(p, tag, p->strip);
}

/*
 * What stands between the two tags is not output where it stands, so it does not count for whether a line holds
 * anything else.
 */
static void close_parent(struct parser *p, struct mustache_node *node, const struct mustache_tag *tag)
{
    const char *next = next_line(p, tag->end);
    bool one_line = !memchr(node->at, '\n', (size_t)(tag->begin - node->at));

    p->at = next && (node->own_line || !one_line) ? next : tag->end;
    node->own_line = node->own_line && (next || !one_line);
    if (node->own_line) {
        node->text = node[-1].text;
        node[-1].text.n = 0;
        node[-1].line_start = false;
    }
}

/* An argument begins on the next line when nothing follows the tag; its first line then gives its indentation. */
static bool open_argument(struct parser *p, const struct mustache_tag *tag)
{
    const char *next = next_line(p, tag->end);

    p->at = next ? next : tag->end;
    return add_named(p, tag, MUSTACHE_BLOCK) &&
           open_last(p, tag, next ? blanks_at(p, next) : (struct str){0});
}

/* A block on lines of its own passes the indentation of its default to the argument that takes its place. */
static bool open_block(struct parser *p, const struct mustache_tag *tag)
{
    struct str indent, blanks;
    bool own_line = take_tag(p, tag, &indent), begins = begins_line(p, tag->begin, &blanks);
    struct mustache_node *node = add_named(p, tag, MUSTACHE_BLOCK);

    if (!node)
        return false;
    node->own_line = own_line;
    if (own_line)
        node->text = strip(p, blanks_at(p, p->at));
    else if (begins)
        node->text = strip(p, blanks);
    return open_last(p, tag, p->strip);
}

/* Nodes move while text is added, hence the index. */
static void close_block(struct parser *p, size_t index, const struct mustache_tag *tag)
{
    struct mustache_node *node;
    struct str indent, blanks;

    take_tag(p, tag, &indent);
    node = &p->t->nodes.v[index];
    if (node->own_line && p->t->nodes.n == index + 1) { /* no default to go by: the opening tag's own indentation */
        begins_line(p, node->at, &blanks);
        node->text = strip(p, blanks);
    }
}

/* What follows the tag is in the parent and not output, so only the blanks before it have to be taken away. */
static void close_argument(struct parser *p, const struct mustache_tag *tag)
{
    struct str blanks;

    add_text(p, begins_line(p, tag->begin, &blanks) ? blanks.p : tag->begin);
    p->at = tag->end;
}

/* Blanks behind the star are not part of the name: {{<*x}} is also closed by one that says "* x". */
static bool closes(const struct mustache_node *node, struct str name)
{
    if (node->dynamic && str_consume(&name, STR("*")))
        return str_eq(node->name, str_trim(name));
    return !node->dynamic && str_eq(node->name, name);
}

static bool close_tag(struct parser *p, const struct mustache_tag *tag)
{
    struct mustache_node *node = innermost(p);
    struct str indent;
    size_t index;

    if (!node)
        return fail(p, tag->begin, "{{/" STR_FMT "}} closes nothing", STR_ARG(tag->content));
    if (!closes(node, tag->content))
        return fail(p, tag->begin, "{{/" STR_FMT "}} cannot close \"" STR_FMT "\", opened in line %u",
                    STR_ARG(tag->content), STR_ARG(node->name), line_of(p->t, node->at));
    index = p->open[p->depth - 1].node;
    if (node->kind == MUSTACHE_PARENT)
        close_parent(p, node, tag);
    else if (node->kind != MUSTACHE_BLOCK)
        take_tag(p, tag, &indent);
    else if (p->depth > 1 && p->t->nodes.v[p->open[p->depth - 2].node].kind == MUSTACHE_PARENT)
        close_argument(p, tag);
    else
        close_block(p, index, tag);
    p->t->nodes.v[index].end = (uint32_t)p->t->nodes.n;
    p->strip = p->open[--p->depth].strip;
    return true;
}

/* --- the other tags ----------------------------------------------------------------------------------------------- */

/* A value stays on its line, whatever else is there. */
static bool add_value(struct parser *p, const struct mustache_tag *tag)
{
    add_text_inline(p, tag->begin);
    p->at = tag->end;
    return add_keyed(p, tag, tag->sigil ? MUSTACHE_RAW : MUSTACHE_VALUE);
}

static bool add_partial(struct parser *p, const struct mustache_tag *tag)
{
    struct str indent;
    bool own_line = take_tag(p, tag, &indent);
    struct mustache_node *node = add_named(p, tag, MUSTACHE_PARTIAL);

    if (!node)
        return false;
    node->own_line = own_line;
    node->text = indent;
    return true;
}

static bool set_delimiters(struct parser *p, const struct mustache_tag *tag)
{
    struct str indent;

    take_tag(p, tag, &indent);
    return mustache_tag_delimiters(tag->content, &p->delimiters) ||
           fail(p, tag->begin, "delimiters are two words without '='");
}

static bool add_tag(struct parser *p, const struct mustache_tag *tag)
{
    struct str indent;

    if (in_parent(p) && !(tag->sigil && strchr("$/!=", tag->sigil)))
        return fail(p, tag->begin, "only blocks can stand directly in a parent");
    switch (tag->sigil) {
    case '!':
        take_tag(p, tag, &indent);
        return true;
    case '=':
        return set_delimiters(p, tag);
    case '#':
    case '^':
        return open_section(p, tag);
    case '<':
        return open_parent(p, tag);
    case '$':
        return in_parent(p) ? open_argument(p, tag) : open_block(p, tag);
    case '/':
        return close_tag(p, tag);
    case '>':
        return add_partial(p, tag);
    default:
        return add_value(p, tag);
    }
}

bool mustache_parse(struct mustache_template *t, struct arena *a, struct map *names, struct str *error)
{
    struct parser p = {.arena = a, .names = names, .t = t, .error = error, .delimiters = {STR("{{"), STR("}}")}};
    const struct mustache_node *open;
    enum mustache_found found;
    struct mustache_tag tag;

    if (!t->text.p)
        t->text = STR("");
    p.at = t->text.p;
    p.end = p.at + t->text.n;
    while ((found = mustache_tag_find(str_range(p.at, p.end), &p.delimiters, &tag)) == MUSTACHE_TAG)
        if (!add_tag(&p, &tag))
            return false;
    if (found == MUSTACHE_TAG_UNCLOSED)
        return fail(&p, tag.begin, "the tag is not closed");
    add_text(&p, p.end);
    open = innermost(&p);
    if (open)
        return fail(&p, open->at, "\"" STR_FMT "\" is not closed", STR_ARG(open->name));
    return true;
}
