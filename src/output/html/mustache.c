#include "output/html/mustache.h"

#include "output/html/escape.h"
#include "output/html/mustache_parse.h"
#include "util/formats/json.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * A template that includes itself twice would be left out 2^64 times at the depth limit. This many are let pass, for
 * data that is really that deep, before rendering stops altogether.
 */
enum { LEFT_OUT_MAX = 10000 };

struct mustache {
    struct mustache_template *templates;
    size_t count;
    struct map by_name;
};

/* --- the set ------------------------------------------------------------------------------------------------------ */

/* Partials and parents get to know their templates, which only works when all have been parsed. */
static bool link_template(struct mustache *m, struct arena *a, struct mustache_template *t,
                          enum mustache_missing missing, struct str *error)
{
    vec_each(struct mustache_node, node, &t->nodes) {
        if ((node->kind != MUSTACHE_PARTIAL && node->kind != MUSTACHE_PARENT) || node->dynamic)
            continue;
        node->partial = map_get(&m->by_name, node->name);
        if (!node->partial && missing == MUSTACHE_MISSING_IS_ERROR) {
            *error = mustache_error(a, t, node->at, "there is no template \"" STR_FMT "\"", STR_ARG(node->name));
            return false;
        }
    }
    return true;
}

static bool add_template(struct mustache *m, struct arena *a, struct map *names, const struct template_text *text,
                         struct str *error)
{
    struct mustache_template *t = &m->templates[m->count++];
    void **entry;

    t->name = str_of(text->name);
    t->text = text->text;
    entry = map_at(&m->by_name, t->name);
    if (*entry) {
        *error = mustache_error(a, t, t->text.p, "a second template of this name");
        return false;
    }
    *entry = t;
    if (!mustache_parse(t, a, names, error))
        return false;
    return true;
}

struct mustache *mustache_new(struct arena *a, const struct template_text *texts, size_t count,
                              enum mustache_missing missing, struct str *error)
{
    struct mustache *m = ARENA_NEW(a, struct mustache);
    struct map names;

    map_init(&m->by_name, a);
    map_init(&names, a);
    m->templates = ARENA_ARRAY(a, struct mustache_template, count);
    for (size_t i = 0; i < count; i++)
        if (!add_template(m, a, &names, &texts[i], error))
            return NULL;
    for (size_t i = 0; i < count; i++)
        if (!link_template(m, a, &m->templates[i], missing, error))
            return NULL;
    return m;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* What names are looked up in, innermost first; the links are on the stack of the functions that render sections. */
struct context {
    const struct context *outer;
    const json_t *value;
};

/* The arguments of the parents being rendered, innermost first. */
struct arguments {
    const struct arguments *outer;
    const struct mustache_template *t;
    uint32_t parent; /* the node */
};

struct render {
    const struct mustache *set;
    struct sink *out;
    const struct context *context;
    const struct arguments *arguments;
    struct buf indent;   /* of all templates being rendered; the lines of this one begin with it ... */
    size_t indent_from;  /* ... from here on */
    bool mid_line;       /* a block goes on with a line that was begun before it: its first line is not indented */
    unsigned depth;
    unsigned left_out;
};

/* Only the first part is looked for further out: a.b is never the b of another a. */
static const json_t *lookup(const struct context *c, const struct mustache_key *key)
{
    const json_t *value = NULL;

    if (key->n == 0)
        return c->value;
    for (; c && !value; c = c->outer)
        value = json_object_get(c->value, key->parts[0]);
    for (size_t i = 1; i < key->n && value; i++)
        value = json_object_get(value, key->parts[i]);
    return value;
}

static bool is_shown(const json_t *value)
{
    switch (value ? json_typeof(value) : JSON_NULL) {
    case JSON_NULL:
    case JSON_FALSE:
        return false;
    case JSON_STRING:
        return json_string_length(value) > 0;
    case JSON_ARRAY:
        return json_array_size(value) > 0;
    default:
        return true;
    }
}

/* 15 digits are enough for what people write, 17 for any double. Nobody sets a locale, so the point is a point. */
static void write_real(struct sink *out, double v)
{
    char text[32];
    int n = 0;

    for (int digits = 15; digits <= 17; digits++) {
        n = snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v)
            break;
    }
    sink_str(out, (struct str){text, (size_t)n});
}

static void write_integer(struct sink *out, json_int_t v)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, v);

    sink_str(out, (struct str){text, (size_t)n});
}

/* Only strings can hold what needs escaping. */
static void write_value(struct sink *out, const json_t *value, bool escape)
{
    switch (value ? json_typeof(value) : JSON_NULL) {
    case JSON_STRING:
        if (escape)
            escape_html(out, json_str(value));
        else
            sink_str(out, json_str(value));
        break;
    case JSON_INTEGER:
        write_integer(out, json_integer_value(value));
        break;
    case JSON_REAL:
        write_real(out, json_real_value(value));
        break;
    case JSON_TRUE:
        sink_str(out, STR("true"));
        break;
    case JSON_FALSE:
        sink_str(out, STR("false"));
        break;
    default:
        break;
    }
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

/* `line_start` is about the first line of text; the others begin one by themselves. */
static void write_indented(struct render *r, struct str text, bool line_start)
{
    struct str indent = str_skip(buf_view(&r->indent), r->indent_from), line;

    if (text.n == 0 && line_start)
        sink_str(r->out, indent);
    for (const char *end = text.p + text.n; str_next_line(&text, &line); line_start = true) {
        if (line_start)
            sink_str(r->out, indent);
        sink_str(r->out, (struct str){line.p, line.n + (line.p + line.n < end)});
    }
}

/* Almost all text is not indented and goes out in one piece. */
static void render_text(struct render *r, const struct mustache_node *node)
{
    bool mid_line = r->mid_line;

    r->mid_line = false;
    if (r->indent.n > r->indent_from)
        write_indented(r, node->text, node->line_start && !mid_line);
    else if (node->text.n)
        sink_str(r->out, node->text);
}

static void render_nodes(struct render *r, const struct mustache_template *t, uint32_t from, uint32_t to);

static void render_in(struct render *r, const struct mustache_template *t, uint32_t section, const json_t *value)
{
    struct context inner = {r->context, value};

    r->context = &inner;
    render_nodes(r, t, section + 1, t->nodes.v[section].end);
    r->context = inner.outer;
}

static void render_section(struct render *r, const struct mustache_template *t, uint32_t section)
{
    const json_t *value = lookup(r->context, &t->nodes.v[section].key);

    if (!is_shown(value))
        return;
    if (!json_is_array(value)) {
        render_in(r, t, section, value);
        return;
    }
    for (size_t i = 0; i < json_array_size(value); i++)
        render_in(r, t, section, json_array_get(value, i));
}

/* Renders nodes that take the place of others, with more indentation than those have. */
static void render_included(struct render *r, const struct mustache_template *t, uint32_t from, uint32_t to,
                            struct str indent)
{
    size_t indent_n = r->indent.n;

    if (r->depth == MUSTACHE_DEPTH_MAX) {
        r->left_out++;
        return;
    }
    r->depth++;
    buf_str(&r->indent, indent);
    render_nodes(r, t, from, to);
    r->indent.n = indent_n;
    r->depth--;
}

static void render_partial(struct render *r, const struct mustache_node *node)
{
    const struct mustache_template *t = node->partial;
    size_t indent_from = r->indent_from;

    if (node->dynamic) {
        const json_t *name = lookup(r->context, &node->key);

        t = json_is_string(name) ? map_get(&r->set->by_name, json_str(name)) : NULL;
    }
    if (!t)
        return;
    if (!node->own_line)
        r->indent_from = r->indent.n; /* in the middle of a line, a partial is put in as it is */
    render_included(r, t, 0, (uint32_t)t->nodes.n, node->text);
    r->indent_from = indent_from;
}

static void render_parent(struct render *r, const struct mustache_template *t, uint32_t parent)
{
    struct arguments arguments = {r->arguments, t, parent};

    r->arguments = &arguments;
    render_partial(r, &t->nodes.v[parent]);
    r->arguments = arguments.outer;
}

/* The outermost of that name: who uses a page knows better than the page what it wants in its blocks. */
static const struct mustache_node *find_argument(const struct arguments *arguments, struct str name,
                                                 const struct mustache_template **t)
{
    const struct mustache_node *found = NULL;

    for (; arguments; arguments = arguments->outer) {
        const struct mustache_node *v = arguments->t->nodes.v;

        for (uint32_t i = arguments->parent + 1; i < v[arguments->parent].end; i = v[i].end)
            if (v[i].kind == MUSTACHE_BLOCK && v[i].name.p == name.p) {
                found = &v[i];
                *t = arguments->t;
            }
    }
    return found;
}

/* An argument is rendered where it is used: in the context and on the line of the block it replaces. */
static void render_block(struct render *r, const struct mustache_template *t, uint32_t block)
{
    const struct mustache_node *node = &t->nodes.v[block], *argument;
    const struct mustache_template *from = NULL;

    argument = find_argument(r->arguments, node->name, &from);
    if (!node->own_line)
        r->mid_line = true;
    if (argument)
        render_included(r, from, (uint32_t)(argument - from->nodes.v) + 1, argument->end, node->text);
    else
        render_nodes(r, t, block + 1, node->end);
    r->mid_line = false;
}

static void render_nodes(struct render *r, const struct mustache_template *t, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to && r->left_out < LEFT_OUT_MAX; i = t->nodes.v[i].end) {
        const struct mustache_node *node = &t->nodes.v[i];

        switch (node->kind) {
        case MUSTACHE_TEXT:
            render_text(r, node);
            break;
        case MUSTACHE_VALUE:
        case MUSTACHE_RAW:
            write_value(r->out, lookup(r->context, &node->key), node->kind == MUSTACHE_VALUE);
            break;
        case MUSTACHE_SECTION:
            render_section(r, t, i);
            break;
        case MUSTACHE_INVERTED:
            if (!is_shown(lookup(r->context, &node->key)))
                render_nodes(r, t, i + 1, node->end);
            break;
        case MUSTACHE_PARTIAL:
            render_partial(r, node);
            break;
        case MUSTACHE_PARENT:
            render_parent(r, t, i);
            break;
        case MUSTACHE_BLOCK:
            render_block(r, t, i);
            break;
        }
    }
}

bool mustache_render(const struct mustache *m, const char *name, const json_t *context, struct sink *out)
{
    const struct mustache_template *t = map_get(&m->by_name, str_of(name));
    const struct context outermost = {NULL, context};
    struct render r = {.set = m, .out = out, .context = &outermost};

    assert(t && "a template of this name is in the set");
    render_included(&r, t, 0, (uint32_t)t->nodes.n, (struct str){0});
    buf_free(&r.indent);
    return r.left_out == 0;
}
