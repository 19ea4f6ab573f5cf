#include "answers_text.h"

#include "analysis/time/cache_pairs.h"

static void miss(struct trace_text *t, const char *ids)
{
    trace_recordf(t, "{\"artifact\": {\"name\": \"fx_graph_cache_miss\", \"encoding\": \"json\"}, %s}", ids);
    trace_payload_lines(t, STR("{\"key\": \"f\", \"components\": [\"[h1] gm: G\"]}"));
}

/* "0/0<-none 0/1<-0/0": what each lookup is compared with. */
static struct str pairs_of(const struct run *r)
{
    struct cache_pairs pairs;
    struct str out = STR("");
    const struct compile *c;

    cache_pairs_find(r->arena, r, &pairs);
    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        vec_each(const struct cache_event, e, &c->cache_events)
        {
            const struct cache_event *before = cache_pair(&pairs, e);
            struct str id = before ? compile_id_print(r->arena, before->artifact->compile->id) : STR("none");

            out = arena_printf(r->arena, "%.*s%s%.*s<-%.*s", STR_ARG(out), out.n ? " " : "",
                               STR_ARG(compile_id_print(r->arena, c->id)), STR_ARG(id));
        }
    return out;
}

/* A trace that was cut has frames without a name: their first lookup is none of them. */
static void frames_without_a_name(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    miss(&t, IN(0, 0, 0));
    miss(&t, IN(0, 1, 0));
    miss(&t, IN(1, 0, 0));
    r = trace_run(&t);
    assert_str(pairs_of(r), "0/0<-none 0/1<-0/0 1/0<-0/1");
    run_free(r);
}

/* The frame first, then the function of that name, then whatever came before. */
static void frames_with_names(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    miss(&t, IN(0, 0, 0));
    trace_start(&t, IN(1, 0, 0), "g", 9);
    miss(&t, IN(1, 0, 0));
    trace_start(&t, IN(0, 1, 0), "f", 5);
    miss(&t, IN(0, 1, 0));
    trace_start(&t, IN(2, 0, 0), "f", 5);
    miss(&t, IN(2, 0, 0));
    r = trace_run(&t);
    assert_str(pairs_of(r), "0/0<-none 1/0<-0/0 0/1<-0/0 2/0<-0/1");
    run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_without_a_name),
        cmocka_unit_test(frames_with_names),
    };

    return RUN(tests);
}
