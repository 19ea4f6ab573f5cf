#include "analysis/answers/recompiles.h"

#include "util/number.h"

#include <stdlib.h>

static void add_reason(struct arena *a, struct recompile *rc, struct str text)
{
    guard_reason_parse(a, text, vec_add(a, &rc->reasons));
}

/* With error_on_recompile only the exception has the reasons. */
static struct str text_of_exception(const struct compile *c)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (str_eq(c->failures.v[i]->type, STR("RecompileError")))
            return c->failures.v[i]->message;
    return (struct str){0};
}

/*
 * From the recompile_reasons artifact; without it (a truncated trace) from the metrics. 2.4 and earlier have neither.
 */
static void find_reasons(struct arena *a, struct recompile *rc)
{
    const struct compile *c = rc->compile;
    struct str text = metrics_str(compile_metrics(c, METRICS_FORWARD), "recompile_reason");
    struct guard_reason_texts texts = {0};

    for (size_t i = 0; i < c->reasons.n; i++)
        add_reason(a, rc, c->reasons.v[i].text);
    if (text.n == 0)
        text = text_of_exception(c);
    if (c->reasons.n || text.n == 0 || str_starts(text, STR("Unable to find recompilation reasons")))
        return;
    guard_reason_split(a, text, &texts);
    vec_each(struct str, t, &texts.list) add_reason(a, rc, *t);
}

void recompile_of(struct arena *a, const struct compile *c, struct recompile *out)
{
    int64_t start;

    *out = (struct recompile){.compile = c};
    if (!compile_interval(c, &start, &out->duration_us))
        out->duration_us = -1;
    find_reasons(a, out);
}

static void classify(struct recompile_chain *chain)
{
    unsigned counts[GUARD_CLASS_COUNT] = {0}, most = 0;

    chain->class = GUARD_OTHER;
    for (size_t i = 0; i < chain->list.n; i++) {
        const struct recompile *rc = chain->list.v[i];

        if (rc->reasons.n && ++counts[rc->reasons.v[0].class] > most) {
            most = counts[rc->reasons.v[0].class];
            chain->class = rc->reasons.v[0].class;
        }
    }
    for (size_t i = 0; i < chain->list.n && !chain->sample; i++)
        if (chain->list.v[i]->reasons.n && chain->list.v[i]->reasons.v[0].class == chain->class)
            chain->sample = &chain->list.v[i]->reasons.v[0];
}

/*
 * What a compile's number says of those before it: all of them were made, but where the limit refused one. "hit
 * config.recompile_limit (8)" at [0/15] and [0/16]: of the numbers from 8 on each may have been refused.
 */
static uint64_t compiles_until(const struct compile *c)
{
    uint64_t n = c->id.compile < 0 ? 0 : (uint64_t)c->id.compile + !c->limit_hit;
    struct str limit;
    int64_t value;

    if (c->limit_hit && str_between(c->limit_reported, STR("_limit ("), STR(")"), &limit) && str_i64(limit, &value) &&
        value >= 0 && (uint64_t)value < n)
        n = (uint64_t)value;
    return n;
}

/*
 * By the largest number in a log, whose lines may be an excerpt: the compile [N/M] is the frame's M + 1st, and one that
 * was refused is none. A forked process goes on with its parent's numbers.
 */
static uint64_t compiles_at_least(const struct frame *f)
{
    bool excerpt = f->process->input->kind == INPUT_TORCH_LOGS && !f->process->parent;
    uint64_t most = 0, made = 0, refused = UINT64_MAX;

    for (size_t i = 0; i < f->compiles.n; i++) {
        const struct compile *c = f->compiles.v[i];
        uint64_t n = compiles_until(c);

        if (c->limit_hit)
            refused = n < refused ? n : refused; /* later numbers may be refused ones, too */
        else
            most = excerpt && n > most ? n : most;
        made += !c->limit_hit;
    }
    most = excerpt && refused != UINT64_MAX && refused > most ? refused : most;
    return made > most ? made : most;
}

static void add_frame(struct arena *a, const struct frame *f, struct recompiles *out)
{
    struct recompile_chain *chain = NULL;
    uint64_t compiles = compiles_at_least(f), firsts = 0; /* firsts: of a cache of their own, but for [N/0] */

    for (size_t i = 0; i < f->compiles.n; i++) {
        const struct compile *c = f->compiles.v[i];
        struct recompile *rc;

        out->limit_hits += c->limit_hit;
        if (!compile_is_recompile(c)) {
            firsts += c->id.compile > 0;
            continue;
        }
        if (!chain) {
            chain = ARENA_NEW(a, struct recompile_chain);
            chain->frame = f;
            vec_push(a, &out->chains, chain);
        }
        rc = ARENA_NEW(a, struct recompile);
        recompile_of(a, c, rc);
        rc->chain = chain;
        vec_push(a, &chain->list, rc);
        vec_push(a, &out->list, rc);
        chain->duration_us = add_bounded(chain->duration_us, rc->duration_us > 0 ? rc->duration_us : 0);
        if (c->limit_hit)
            chain->limit = c;
    }
    out->compiles_least += compiles;
    if (!chain)
        return;
    classify(chain);
    chain->firsts = firsts;
    chain->least = compiles > chain->list.n + firsts + 1 ? compiles - firsts - 1 : chain->list.n;
    out->least += chain->least;
}

static int by_cost(const void *pa, const void *pb)
{
    const struct recompile_chain *a = *(struct recompile_chain *const *)pa, *b = *(struct recompile_chain *const *)pb;
    const struct compile *ca = a->list.v[0]->compile, *cb = b->list.v[0]->compile;

    if (!a->limit != !b->limit)
        return a->limit ? -1 : 1;
    if (a->duration_us != b->duration_us)
        return a->duration_us < b->duration_us ? 1 : -1;
    if (ca->process->index != cb->process->index)
        return ca->process->index < cb->process->index ? -1 : 1;
    return (ca->index > cb->index) - (ca->index < cb->index);
}

void recompiles_find(struct arena *a, const struct run *r, struct recompiles *out)
{
    *out = (struct recompiles){0};
    for (size_t i = 0; i < r->processes.n; i++)
        for (size_t k = 0; k < r->processes.v[i]->frames.n; k++)
            add_frame(a, r->processes.v[i]->frames.v[k], out);
    if (out->chains.n)
        qsort(out->chains.v, out->chains.n, sizeof *out->chains.v, by_cost);
}
