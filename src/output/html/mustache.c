#include "output/html/mustache.h"

#include "output/html/escape.h"
#include "output/html/mustache_parse.h"
#include "util/formats/json.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * A template that includes itself twice would be left out 2^64 times at the depth limit. Data may really be that deep
 * in places, so rendering stops altogether only after this many.
 */
enum { LEFT_OUT_MAX = 10000 };

struct mustache {
    struct mustache_template *templates;
    size_t count;
    struct map by_name;
};

/* --- the set ------------------------------------------------------------------------------------------------------ */

/* Finds the templates of partials, once all templates have been parsed. */
static bool link_template(struct mustache *m, struct arena *a, struct mustache_template *t, struct str *error)
{
    vec_each(struct mustache_node, node, &t->nodes) {
        if (node->kind != MUSTACHE_PARTIAL)
            continue;
        node->partial = map_get(&m->by_name, node->text);
        if (!node->partial) {
            *error = mustache_error(a, t, node->at, "there is no template \"" STR_FMT "\"", STR_ARG(node->text));
            return false;
        }
    }
    return true;
}

static bool add_template(struct mustache *m, struct arena *a, const struct template_text *text, struct str *error)
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
    return mustache_parse(t, a, error);
}

struct mustache *mustache_new(struct arena *a, const struct template_text *texts, size_t count, struct str *error)
{
    struct mustache *m = ARENA_NEW(a, struct mustache);

    map_init(&m->by_name, a);
    m->templates = ARENA_ARRAY(a, struct mustache_template, count);
    for (size_t i = 0; i < count; i++)
        if (!add_template(m, a, &texts[i], error))
            return NULL;
    for (size_t i = 0; i < count; i++)
        if (!link_template(m, a, &m->templates[i], error))
            return NULL;
    return m;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/*
 * The values that names are looked up in, innermost first; they are on the stack of the functions that render
 * sections.
 */
struct context {
    const struct context *outer;
    const json_t *value;
};

struct render {
    struct sink *out;
    const struct context *context;
    unsigned depth;
    unsigned left_out;
};

static const json_t *lookup(const struct context *c, struct str name)
{
    const json_t *value = NULL;

    if (str_eq(name, STR(".")))
        return c->value;
    for (; c && !value; c = c->outer)
        value = json_object_get(c->value, name.p);
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

/*
 * 15 digits suffice for numbers that people write, and 17 for any double. No locale is set, so the decimal point is a
 * point.
 */
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

/* Only strings can contain characters that need escaping. */
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
    const json_t *value = lookup(r->context, t->nodes.v[section].text);

    if (!is_shown(value))
        return;
    if (!json_is_array(value)) {
        render_in(r, t, section, value);
        return;
    }
    for (size_t i = 0; i < json_array_size(value); i++)
        render_in(r, t, section, json_array_get(value, i));
}

static void render_template(struct render *r, const struct mustache_template *t)
{
    if (r->depth == MUSTACHE_DEPTH_MAX) {
        r->left_out++;
        return;
    }
    r->depth++;
    render_nodes(r, t, 0, (uint32_t)t->nodes.n);
    r->depth--;
}

static void render_nodes(struct render *r, const struct mustache_template *t, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to && r->left_out < LEFT_OUT_MAX; i = t->nodes.v[i].end) {
        const struct mustache_node *node = &t->nodes.v[i];

        switch (node->kind) {
        case MUSTACHE_TEXT:
            sink_str(r->out, node->text);
            break;
        case MUSTACHE_VALUE:
        case MUSTACHE_RAW:
            write_value(r->out, lookup(r->context, node->text), node->kind == MUSTACHE_VALUE);
            break;
        case MUSTACHE_SECTION:
            render_section(r, t, i);
            break;
        case MUSTACHE_INVERTED:
            if (!is_shown(lookup(r->context, node->text)))
                render_nodes(r, t, i + 1, node->end);
            break;
        case MUSTACHE_PARTIAL:
            render_template(r, node->partial);
            break;
        }
    }
}

bool mustache_render(const struct mustache *m, const char *name, const json_t *context, struct sink *out)
{
    const struct mustache_template *t = map_get(&m->by_name, str_of(name));
    const struct context outermost = {NULL, context};
    struct render r = {.out = out, .context = &outermost};

    assert(t && "a template of this name is in the set");
    render_template(&r, t);
    return r.left_out == 0;
}
