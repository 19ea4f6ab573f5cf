/* The components of cache keys, and what differs between two. */
#include "view_text.h"

#include "analysis/time/cache_keys.h"

static struct str key_of(struct arena *a, const char *text)
{
    struct cache_key key;
    struct str out = {"", 0};

    cache_key_parse(a, str_of(text), &key);
    vec_each(const struct key_component, c, &key.components) out =
        arena_printf(a, "%.*s%.*s=%.*s:%.*s|", STR_ARG(out), STR_ARG(c->name), STR_ARG(c->hash), STR_ARG(c->value));
    return out;
}

static void components(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_str(key_of(a, "{\"key\": \"k\", \"components\": [\"[h1] gm: f(\\\"x]\\\")\", \"[h2] inductor_config[debug]: "
                         "False\"], \"time\": 3}"),
               "gm=h1:f(\\\"x]\\\")|inductor_config[debug]=h2:False|");
    assert_str(key_of(a, "{\"components\" : [ \"[h1] gm: 1\" , \"no hash\", \"[h2 gm\", \"[] gm: 2\", \"[h3] gm\", "
                         "\"[h4] n:\"]}"),
               "gm=h1:1|n=h4:|");
    assert_str(key_of(a, "{\"components\": [\"[h1] gm: cut o"), "");
    assert_str(key_of(a, "{\"components\": [\"[h1] gm: 1\", \"[h2] n: cut o"), "gm=h1:1|");
    assert_str(key_of(a, "{\"components\": []}"), "");
    assert_str(key_of(a, "{\"components\": 7}"), "");
    assert_str(key_of(a, "{\"components\""), "");
    assert_str(key_of(a, ""), "");
    arena_free(a);
}

static void words(void **state)
{
    (void)state;
    assert_string_equal(cache_key_words(STR("gm")), "the graph");
    assert_string_equal(cache_key_words(STR("inductor_config[debug]")), "a setting of Inductor");
    assert_null(cache_key_words(STR("something_new")));
}

static void miss(struct trace_text *t, int frame, int compile, const char *components)
{
    char payload[300];

    snprintf(payload, sizeof payload, "{\"key\": \"k\", \"cache_state\": \"miss\", \"components\": [%s]}", components);
    trace_start(t, trace_ids(frame, compile, 0), frame ? "g" : "f", 5);
    trace_artifact(t, "fx_graph_cache_miss", trace_ids(frame, compile, 0), payload);
    trace_metrics(t, trace_ids(frame, compile, 0), "\"guard_count\": 2");
}

/* "0/0: gm, debug": what the key of a compile differs in. */
static struct str changes_of(struct view *v, size_t compile)
{
    const struct compile *c = v->run->processes.v[0]->compiles.v[compile];
    const struct key_changes *changes =
        key_changes_of(v->keys, v->scratch, &v->answers->cache_pairs, &c->cache_events.v[0]);
    struct str out;

    if (!changes->against)
        return STR("nothing");
    out = arena_printf(v->scratch, "%.*s:", STR_ARG(compile_id_print(v->scratch, changes->against->compile->id)));
    vec_each(const struct key_change, x, &changes->list) out =
        arena_printf(v->scratch, "%.*s %.*s(%.*s>%.*s)", STR_ARG(out), STR_ARG(x->name), STR_ARG(x->before),
                     STR_ARG(x->now));
    return out;
}

/* With the compile before of the frame where there is one, else with the lookup before. */
static void changes(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;
    struct view v;

    (void)state;
    trace_file(&t);
    miss(&t, 0, 0, "\"[1] gm: A\", \"[2] x: B\"");
    miss(&t, 1, 0, "\"[1] gm: A\", \"[2] x: B\"");
    miss(&t, 0, 1, "\"[9] gm: Z\", \"[3] y: C\"");
    a = answers_of_trace(&t);
    v = view_of(a);
    assert_str(changes_of(&v, 0), "nothing");
    assert_str(changes_of(&v, 1), "0/0:");
    assert_str(changes_of(&v, 2), "0/0: gm(A>Z) y(>C) x(B>)");
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components),
        cmocka_unit_test(words),
        cmocka_unit_test(changes),
    };

    return RUN(tests);
}
