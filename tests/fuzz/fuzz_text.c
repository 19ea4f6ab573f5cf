/*
 * Everything in src/text: any bytes give a result, all views lie in the text or the arena, trees are trees, sentences
 * are never empty nor long.
 */
#include "fuzz.h"

#include "input/limits.h"
#include "text/graphs/fx_graph.h"
#include "text/graphs/output_code.h"
#include "text/guards/guard_kind.h"
#include "text/guards/guard_reason.h"
#include "text/guards/guard_tree.h"
#include "text/messages/break_text.h"
#include "text/messages/explain_text.h"
#include "text/messages/times_text.h"
#include "text/python/python_value.h"
#include "text/versions/config_text.h"
#include "text/versions/names.h"

#define CHECK(claim) fuzz_check(claim, #claim)

/* Touches every byte, for the address sanitizer. */
static void look(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        (void)*(const volatile char *)&s.p[i];
}

static void look_at_stack(const struct text_stack *s)
{
    CHECK(s->calls.n <= LIMIT_STACK_FRAMES);
    vec_each(const struct text_call, c, &s->calls)
    {
        look(c->file);
        look(c->function);
        look(c->source);
        CHECK(c->line >= 0 && c->source.n == str_trim(c->source).n);
    }
}

static void try_traceback(struct arena *a, struct str text)
{
    struct text_stack stack = {0};
    struct text_call call;
    struct traceback t;
    struct str rest = text;
    size_t n = text_stack_take(a, &rest, &stack);

    CHECK(n >= stack.calls.n && rest.n <= text.n && (n > 0 || rest.n == text.n));
    look_at_stack(&stack);
    if (text_call_parse_metrics(text, &call)) {
        look(call.file);
        look(call.function);
    }
    if (!traceback_parse(a, text, &t))
        return;
    look_at_stack(&t.calls);
    look_at_stack(&t.user_calls);
    look(t.module);
    look(t.type);
    look(t.message);
    look(t.first_type);
    look(t.first_message);
}

static void look_at_break(const struct break_text *b)
{
    look(b->file);
    look(b->message);
    look(b->type);
    look(b->then_type);
    look(b->attempted);
    look(b->hop);
    look(b->explanation);
    look(b->context);
    look(b->gb_id);
    CHECK(b->url.n == 0 || str_starts(b->url, STR("https://")));
    CHECK(str_chr(b->type, '\n') < 0 && str_chr(b->url, '\n') < 0);
    vec_each(const struct str, h, &b->hints) look(*h);
    look_at_stack(&b->user_stack);
}

static void try_graph(struct arena *a, struct str text)
{
    struct fx_graph graph;
    struct output_code code;

    fx_graph_parse(a, text, &graph);
    vec_each(const struct fx_node, n, &graph.nodes)
    {
        look(n->name);
        look(n->file);
        CHECK(n->name.n > 0 && n->line >= 0);
    }
    output_code_parse(a, text, &code);
    look(code.aot_id);
    vec_each(const struct code_kernel, k, &code.kernels)
    {
        look(k->name);
        look(k->kind);
        look(k->heuristic);
        CHECK(k->name.n > 0 && k->sizes.n <= CODE_SIZES_MAX);
        for (size_t i = 0; i < k->sizes.n; i++)
            look(k->sizes.v[i]);
    }
}

static void try_break(struct arena *a, struct str text)
{
    struct break_text b;

    break_text_parse(a, text, &b);
    look_at_break(&b);
    break_message_parse(a, text, &b);
    look_at_break(&b);
}

static void look_at_tree(const struct guard_tree *t)
{
    CHECK(t->root && !t->root->parent && t->root->depth == 0);
    CHECK(t->lines_unknown <= t->lines);
    for (size_t i = 0; i < t->guards.n; i++) {
        const struct guard_node *g = t->guards.v[i];

        CHECK(g->is_guard && g->children.n == 0 && g->parent && g->depth <= LIMIT_GUARD_DEPTH);
        CHECK(g->kind.n > 0 && g->user_line >= 0);
        guard_kind_words(g->kind);
        look(g->text);
        look(g->user_code);
        look(g->user_file);
        look(g->user_function);
        look(g->hint);
        for (; g->parent; g = g->parent) {
            CHECK(!g->parent->is_guard && g->depth == g->parent->depth + 1);
            look(g->source);
            look(g->accessor);
            look(g->type);
        }
        CHECK(g == t->root);
    }
}

static void try_tree(struct arena *a, struct str text)
{
    struct guard_tree t;

    guard_tree_parse(a, text, &t);
    look_at_tree(&t);
    if (guard_tree_parse_json(a, text, &t)) {
        for (size_t i = 0; i < t.guards.n; i++)
            look(t.guards.v[i]->text);
    }
}

static void try_reason(struct arena *a, struct str text)
{
    struct guard_reason r;

    guard_reason_parse(a, text, &r);
    CHECK(r.class < GUARD_CLASS_COUNT && guard_class_name(r.class) && guard_class_title(r.class));
    CHECK(r.words.n > 0 && r.words.n < 700 && r.index >= -1);
    CHECK(!r.could_be_dynamic || r.class == GUARD_SIZE || r.class == GUARD_INT);
    look(r.words);
    look(r.against);
    look(r.guard);
    look(r.source);
    look(r.name);
    look(r.expected);
    look(r.actual);
    look(r.user_code);
    look(r.user_file);
    look(r.user_function);
    look(r.user_stack);
    look(r.hint);
}

static void try_explain(struct arena *a, struct str text)
{
    struct explain_text e;
    struct str line, rest = text;
    unsigned state = 0;

    while (str_next_line(&rest, &line) && explain_text_goes_on(&state, line))
        ;
    if (!explain_text_parse(a, text, &e))
        return;
    CHECK(e.breaks.n <= LIMIT_LIST);
    vec_each(const struct explain_break, b, &e.breaks)
    {
        look(b->message);
        look_at_stack(&b->stack);
    }
}

static void try_times(struct arena *a, struct str text)
{
    struct times_text t;
    struct str line, rest = text;
    unsigned state = 0;

    while (str_next_line(&rest, &line) && times_text_goes_on(&state, line))
        ;
    times_text_parse(a, text, &t);
    vec_each(const struct times_row, row, &t.rows)
    {
        CHECK(row->name.n > 0 && row->each_ns.n > 0);
        look(row->name);
        vec_each(const int64_t, ns, &row->each_ns) CHECK(*ns >= 0);
    }
}

static void try_settings(struct arena *a, struct str text)
{
    struct settings settings = {0};
    struct build build = {0};

    settings_parse(a, text, &settings);
    vec_each(const struct setting, s, &settings.list)
    {
        look(s->name);
        look(s->value);
        CHECK(python_values_equal(s->value, s->value));
        python_values_equal(s->value, STR("{'a', (1, [2.5e3, None]), \"b\\n\"}"));
    }
    python_values_equal(text, STR("set()"));
    build_parse(text, &build);
    names_has(NAME_SETTING, text, build.pytorch);
    look(build.pytorch);
    look(build.gpu);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct guard_reason_texts texts = {0};
    struct arena *a = arena_new();

    try_traceback(a, text);
    try_graph(a, text);
    try_break(a, text);
    try_tree(a, text);
    try_reason(a, text);
    try_explain(a, text);
    try_times(a, text);
    try_settings(a, text);
    guard_reason_split(a, text, &texts);
    vec_each(const struct str, t, &texts.list) try_reason(a, *t);
    arena_free(a);
    return 0;
}
