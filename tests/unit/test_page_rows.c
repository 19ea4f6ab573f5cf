/*
 * The objects of the page and its templates have the same names: each name in a template is a row of the objects that
 * it is filled with, and each row is used. The tables are made of the rows, and the templates are those of the program.
 */
#include "output/html/assets.h"
#include "output/html/mustache_parse.h"
#include "util/buf.h"

/* A row; one with the name of an object begins that object. */
struct row {
    const char *object, *key;
    const char *of; /* the object that the value is, or that the items of the value are */
    const char *all_of;
    bool nothing, used;
};

#define OBJECT(name, type) {.object = #name},
#define END
#define LET(type, name, value)
#define TEXT(k, value) {.key = #k},
#define TEXT_IF(k, condition, value) {.key = #k},
#define CUT_TEXT(k, value) {.key = #k},
#define COUNT(k, value) {.key = #k},
#define COUNT_OR_NULL(k, value) {.key = #k},
#define FROM_ONE_OR_NULL(k, value) {.key = #k},
#define FLAG(k, value) {.key = #k},
#define TEXTS(k, value) {.key = #k, .of = "."},
#define MADE_TEXTS(k, value) {.key = #k, .of = "."},
#define WORDS(k, value) {.key = #k, .of = "word"},
#define PLACE(k, file, line) {.key = #k, .of = "file_line"},
#define LINK(k, value) {.key = #k, .of = "link"},
#define STACK(k, value) {.key = #k, .of = "stack"},
#define PART(k, object, value) {.key = #k, .of = #object},
#define MADE(k, object, value) {.key = #k, .of = #object},
#define LIST(k, object, list) {.key = #k, .of = #object},
#define LIST_OF(k, object, list) {.key = #k, .of = #object},
#define FIRST(k, object, list, most) {.key = #k, .of = #object},
#define FIRST_OF(k, object, list, most) {.key = #k, .of = #object},
#define LIST_UP_TO(k, object, list, most, hidden) {.key = #k, .of = #object}, {.key = #hidden},
#define LIST_OF_UP_TO(k, object, list, most, hidden) {.key = #k, .of = #object}, {.key = #hidden},
#define NOTHING(k) {.key = #k, .nothing = true},
#define ALL_OF(object, value) {.all_of = #object},
#define FACTS(object, value) {.all_of = "fact " #object},

static struct row page_table[] = {
#include "view/sections/all.def"
};

#include "view/rows_end.def"

/* Of report.json, the objects that the page has. A page need not use all rows of them. */
#include "view/rows_none.def"
#undef STRING
#undef TEXT
#undef ANY_TEXT
#undef FLAG
#undef WORD
#undef COUNT
#undef MADE_LIST
#undef MADE_LIST_OR_NULL
#define OBJECT(name, type, description) {.object = "fact " #name},
#define STRING(k, value, description) {.key = #k},
#define TEXT(k, value, description) {.key = #k},
#define ANY_TEXT(k, value, description) {.key = #k},
#define FLAG(k, value, description) {.key = #k},
#define WORD(k, name, n, value, description) {.key = #k},
#define COUNT(k, value, description) {.key = #k},
#define MADE_LIST(k, object, value, description) {.key = #k, .of = "fact " #object},
#define MADE_LIST_OR_NULL(k, object, value, description) {.key = #k, .of = "fact " #object},

static struct row fact_table[] = {
#include "view/facts/run.def"
};

#include "view/rows_end.def"

#include "unit.h"

/* --- looking up --------------------------------------------------------------------------------------------------- */

static struct row *object_in(struct row *table, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (table[i].object && strcmp(table[i].object, name) == 0)
            return &table[i];
    return NULL;
}

static struct row *object_of(const char *name)
{
    struct row *found = object_in(page_table, COUNT(page_table), name);

    return found ? found : object_in(fact_table, COUNT(fact_table), name);
}

static const struct row *end_of(const struct row *object)
{
    bool is_fact = object >= fact_table && object < fact_table + COUNT(fact_table);
    const struct row *end = is_fact ? fact_table + COUNT(fact_table) : page_table + COUNT(page_table), *x = object + 1;

    while (x < end && !x->object)
        x++;
    return x;
}

/* The last row with the key counts. Later rows replace members of other objects that were added before. */
static struct row *row_of(struct row *object, const char *key)
{
    struct row *found = NULL;

    for (struct row *x = object + 1; x < end_of(object); x++) {
        struct row *other = x->all_of ? row_of(object_of(x->all_of), key) : NULL;

        if (x->key && strcmp(x->key, key) == 0)
            found = x;
        else if (other)
            found = other;
    }
    return found;
}

/* --- walking the templates ---------------------------------------------------------------------------------------- */

/* What is around a tag. */
struct around {
    const struct around *outside;
    const char *of; /* an object, "." for a text, "words" for a list of them; NULL for a flag, which has no names */
};

struct walk {
    const struct mustache_template *templates;
    size_t n;
    struct buf problems;
};

static const struct mustache_template *template_of(const struct walk *w, struct str name)
{
    for (size_t i = 0; i < w->n; i++)
        if (str_eq(w->templates[i].name, name))
            return &w->templates[i];
    return NULL;
}

static struct row *lookup(const struct around *in, struct str name)
{
    for (; in; in = in->outside) {
        struct row *object = in->of ? object_of(in->of) : NULL, *row = object ? row_of(object, name.p) : NULL;

        if (row) {
            row->used = true;
            return row;
        }
    }
    return NULL;
}

static void problem(struct walk *w, const struct mustache_template *t, const struct mustache_node *node,
                    const char *what)
{
    buf_printf(&w->problems, "%.*s: {{%.*s}} %s\n", STR_ARG(t->name), STR_ARG(node->text), what);
}

enum { DEPTH_MAX = 24 };

static void walk_nodes(struct walk *w, const struct mustache_template *t, uint32_t from, uint32_t to,
                       const struct around *in, int depth);

/* {{.}} is a text of a list, or a list of words in a list of them. */
static void walk_item(struct walk *w, const struct mustache_template *t, uint32_t at, const struct around *in,
                      int depth)
{
    const struct mustache_node *node = &t->nodes.v[at];
    bool is_section = node->kind == MUSTACHE_SECTION;

    if (!in || !in->of || strcmp(in->of, is_section ? "words" : ".") != 0)
        problem(w, t, node, "is no item of a list");
    else if (is_section)
        walk_nodes(w, t, at + 1, node->end, &(struct around){in, "word"}, depth);
}

static void walk_name(struct walk *w, const struct mustache_template *t, uint32_t at, const struct around *in,
                      int depth)
{
    const struct mustache_node *node = &t->nodes.v[at];
    const struct row *row = lookup(in, node->text);
    bool is_section = node->kind == MUSTACHE_SECTION || node->kind == MUSTACHE_INVERTED;

    if (!row)
        problem(w, t, node, "is no row of the objects around it");
    else if (!is_section && row->of)
        problem(w, t, node, "is no text");
    else if (row->of && strcmp(row->of, ".") != 0 && strcmp(row->of, "words") != 0 && !object_of(row->of))
        problem(w, t, node, "is an object that no rows define");
    else if (node->kind == MUSTACHE_INVERTED)
        walk_nodes(w, t, at + 1, node->end, in, depth);
    else if (is_section && !row->nothing)
        walk_nodes(w, t, at + 1, node->end, &(struct around){in, row->of}, depth);
}

static void walk_nodes(struct walk *w, const struct mustache_template *t, uint32_t from, uint32_t to,
                       const struct around *in, int depth)
{
    for (uint32_t i = from; i < to;) {
        const struct mustache_node *node = &t->nodes.v[i];
        const struct mustache_template *partial;

        if (node->kind == MUSTACHE_PARTIAL && depth == DEPTH_MAX) {
            problem(w, t, node, "is nested too deep");
        } else if (node->kind == MUSTACHE_PARTIAL) {
            partial = template_of(w, node->text);
            walk_nodes(w, partial, 0, (uint32_t)partial->nodes.n, in, depth + 1);
        } else if (node->kind != MUSTACHE_TEXT && str_eq(node->text, STR("."))) {
            walk_item(w, t, i, in, depth);
        } else if (node->kind != MUSTACHE_TEXT) {
            walk_name(w, t, i, in, depth);
        }
        i = node->kind == MUSTACHE_SECTION || node->kind == MUSTACHE_INVERTED ? node->end : i + 1;
    }
}

/* --- the tests ---------------------------------------------------------------------------------------------------- */

static void parse_all(struct arena *a, const struct template_text *texts, size_t n, struct walk *w)
{
    struct mustache_template *list = ARENA_ARRAY(a, struct mustache_template, n);
    struct str error;

    for (size_t i = 0; i < n; i++) {
        list[i].name = str_of(texts[i].name);
        list[i].text = texts[i].text;
        assert_true(mustache_parse(&list[i], a, &error));
    }
    *w = (struct walk){.templates = list, .n = n};
}

static bool is_included(const struct walk *w, struct str name)
{
    for (size_t i = 0; i < w->n; i++)
        vec_each(const struct mustache_node, node, &w->templates[i].nodes)
            if (node->kind == MUSTACHE_PARTIAL && str_eq(node->text, name))
                return true;
    return false;
}

/* Templates of other outputs, which make their JSON themselves. */
static bool is_of_another_output(struct str name)
{
    return str_eq(name, STR("diff_page")) || str_eq(name, STR("index_page")) || str_eq(name, STR("junit"));
}

/* A template is filled with the object of its name; one without an object must have no names. */
static void walk_all(struct walk *w)
{
    for (size_t i = 0; i < w->n; i++) {
        const struct mustache_template *t = &w->templates[i];
        struct row *object = object_of(t->name.p);

        if (!is_included(w, t->name) && !is_of_another_output(t->name))
            walk_nodes(w, t, 0, (uint32_t)t->nodes.n, object ? &(struct around){NULL, object->object} : NULL, 0);
    }
}

static void templates_and_rows(void **state)
{
    struct arena *a = arena_new();
    const char *object = "";
    struct walk w;

    (void)state;
    parse_all(a, asset_templates, asset_template_count, &w);
    walk_all(&w);
    for (size_t i = 0; i < COUNT(page_table); i++) {
        const struct row *x = &page_table[i];

        object = x->object ? x->object : object;
        if (x->key && !x->used)
            buf_printf(&w.problems, "%s.%s: no template uses it\n", object, x->key);
        if (x->object && object_of(x->object) != x)
            buf_printf(&w.problems, "%s: two objects have the name\n", x->object);
    }
    assert_str(buf_view(&w.problems), "");
    buf_free(&w.problems);
    arena_free(a);
}

/* What the test must notice. */
static void faults(void **state)
{
    static const struct template_text texts[] = {
        {"link", STR_INIT("{{lable}}{{#word}}{{label}}{{/word}}")},
        {"links", STR_INIT("{{list}}{{#list}}{{>inside}}{{/list}}{{.}}")},
        {"inside", STR_INIT("{{last}}{{more}}{{text}}")},
        {"repeated_end", STR_INIT("{{label}}")},
    };
    struct arena *a = arena_new();
    struct walk w;

    (void)state;
    parse_all(a, texts, COUNT(texts), &w);
    walk_all(&w);
    assert_str(buf_view(&w.problems), "link: {{lable}} is no row of the objects around it\n"
                                      "links: {{list}} is no text\n"
                                      "inside: {{text}} is no row of the objects around it\n"
                                      "links: {{.}} is no item of a list\n"
                                      "repeated_end: {{label}} is no row of the objects around it\n");
    buf_free(&w.problems);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(templates_and_rows),
        cmocka_unit_test(faults),
    };

    return RUN(tests);
}
