#include "analysis/answers/breaks.h"

#include "util/map.h"

#include <stdlib.h>

/* The best place if the line is unknown. */
static struct str function_of(const struct graph_break *b)
{
    return b->line ? (struct str){0} : b->function;
}

static struct break_group *group_of(struct arena *a, struct map *groups, struct break_groups *out,
                                    const struct graph_break *b)
{
    const struct process *p = b->compile->process;
    struct str key = arena_printf(a, "%u %d %lld %.*s\n%.*s\n%.*s", p->group, p->rank, (long long)b->line,
                                  STR_ARG(b->file), STR_ARG(function_of(b)), STR_ARG(b->type));
    void **slot = map_at(groups, key);
    struct break_group *g = *slot;

    if (g)
        return g;
    *slot = g = ARENA_NEW(a, struct break_group);
    g->sample = b;
    g->rank = p->rank;
    vec_push(a, &out->list, g);
    return g;
}

static void describe(struct break_group *g)
{
    const struct call *innermost = g->sample->stack, *own = stack_program_call(innermost);

    if (innermost && innermost->line == g->sample->line && str_eq(innermost->file, g->sample->file))
        g->source = innermost->source;
    if (!own)
        own = stack_user_call(innermost);
    if (own && own != innermost && !is_framework_file(own->file))
        g->own = own;
}

/* First compiles of the resume functions that continue at one line. */
struct resume_list {
    VEC(const struct compile *) list;
};

static struct str resume_key(struct arena *a, const struct compile *c, struct str file, struct str function,
                             int64_t line)
{
    return arena_printf(a, "%u %u %lld %.*s\n%.*s", c->process->index, c->epoch, (long long)line, STR_ARG(file),
                        STR_ARG(function));
}

static void index_resumes(struct arena *a, const struct run *r, struct map *out)
{
    for (size_t i = 0; i < r->processes.n; i++)
        for (size_t k = 0; k < r->processes.v[i]->frames.n; k++) {
            const struct frame *f = r->processes.v[i]->frames.v[k];
            void **slot;

            if (!f->is_resume || f->compiles.n == 0)
                continue;
            slot = map_at(out, resume_key(a, f->compiles.v[0], f->file, f->resumes, f->resumes_line));
            if (!*slot)
                *slot = ARENA_NEW(a, struct resume_list);
            vec_push(a, &((struct resume_list *)*slot)->list, f->compiles.v[0]);
        }
}

/* The resume function is named after the line where it continues: the same line, or the end of the statement. */
enum { RESUME_LINES = 3, RESUMES_MAX = 20, MEMBERS_LOOKED_AT = 50 };

const struct failure *compile_fallback(const struct compile *c)
{
    for (size_t i = 0; i < c->failures.n; i++)
        if (c->failures.v[i]->fallback && !c->limit_hit)
            return c->failures.v[i];
    return NULL;
}

/*
 * Until 2.6 nothing records that Dynamo cannot resume after a break, in a loop for example: the compile just ends
 * without a graph and without code.
 */
static bool ended_at_break(const struct compile *c)
{
    const struct metric *installed = metrics_get(compile_metrics(c, METRICS_FORWARD), "has_guarded_code");

    return c->breaks.n && c->failures.n == 0 && !c->limit_hit && installed && installed->type == METRIC_BOOL &&
           !installed->b && !compile_dynamo_graph(c);
}

bool compile_given_up(const struct compile *c)
{
    return compile_fallback(c) || ended_at_break(c);
}

/* The call in a break's stack that belongs to the function being compiled; NULL if there is none. */
static const struct call *call_of_frame(const struct graph_break *b)
{
    const struct frame *f = b->compile->frame;
    const struct call *found = NULL;

    for (const struct call *c = b->stack; f && c; c = c->parent)
        if (str_eq(c->file, f->file) &&
            (str_eq(c->function, f->name) || (f->is_resume && str_eq(c->function, f->resumes))))
            found = c;
    return found;
}

/* Where a function of the program continues after a break. */
struct resumption {
    const struct compile *compile; /* the compile with the break */
    struct str file, function;
    int64_t line;
};

static void add_resumes_at(struct arena *a, struct break_group *g, const struct map *resumes, struct map *seen,
                           const struct resumption *r)
{
    for (int distance = 0; distance <= RESUME_LINES && r->line < INT64_MAX - RESUME_LINES; distance++) {
        struct str key = resume_key(a, r->compile, r->file, r->function, r->line + distance);
        const struct resume_list *found = map_get(resumes, key);
        void **slot;

        if (!found)
            continue;
        slot = map_at(seen, key);
        for (size_t i = 0; !*slot && i < found->list.n && g->resumes.n < RESUMES_MAX; i++)
            vec_push(a, &g->resumes, found->list.v[i]);
        *slot = g;
        return; /* resume functions further down belong to other breaks */
    }
}

/*
 * A break ends the graph of the compiled function, which continues in a resume function after the line being run: the
 * break's line, or the line of the call that leads to it.
 */
static void add_resumes(struct arena *a, struct break_group *g, const struct map *resumes)
{
    struct map seen;

    map_init(&seen, a);
    for (size_t i = 0; i < g->members.n && i < MEMBERS_LOOKED_AT; i++) {
        const struct graph_break *b = g->members.v[i];
        const struct call *c = call_of_frame(b);
        const struct frame *f = b->compile->frame;

        if (compile_given_up(b->compile))
            continue;
        if (c)
            add_resumes_at(a, g, resumes, &seen,
                           &(struct resumption){b->compile, f->file, f->is_resume ? f->resumes : f->name, c->line});
        add_resumes_at(a, g, resumes, &seen, &(struct resumption){b->compile, b->file, b->function, b->line});
    }
}

static int by_members(const void *pa, const void *pb)
{
    const struct break_group *a = *(struct break_group *const *)pa, *b = *(struct break_group *const *)pb;

    if (a->members.n != b->members.n)
        return a->members.n < b->members.n ? 1 : -1;
    if (a->sample->compile->process->index != b->sample->compile->process->index)
        return a->sample->compile->process->index < b->sample->compile->process->index ? -1 : 1;
    if (a->sample->compile->index != b->sample->compile->index)
        return a->sample->compile->index < b->sample->compile->index ? -1 : 1;
    return (a->sample->record_line > b->sample->record_line) - (a->sample->record_line < b->sample->record_line);
}

static void add_compile(struct arena *a, struct map *groups, struct break_groups *out, const struct compile *c)
{
    for (size_t i = 0; i < c->breaks.n; i++) {
        vec_push(a, &group_of(a, groups, out, c->breaks.v[i])->members, c->breaks.v[i]);
        out->total++;
    }
}

static void collect_places(struct arena *a, struct break_groups *out)
{
    struct map by_key;

    map_init(&by_key, a);
    for (size_t i = 0; i < out->list.n; i++) {
        const struct break_group *g = out->list.v[i];
        const struct graph_break *b = g->sample;
        void **slot = map_at(&by_key, arena_printf(a, "%lld %.*s\n%.*s\n%.*s", (long long)b->line, STR_ARG(b->file),
                                                   STR_ARG(function_of(b)), STR_ARG(b->type)));
        struct break_place *p = *slot;

        if (!p) {
            *slot = p = ARENA_NEW(a, struct break_place);
            p->first = g;
            vec_push(a, &out->places, p);
        }
        vec_push(a, &p->groups, g);
        p->met = g->members.n > p->met ? g->members.n : p->met;
    }
}

static int by_met(const void *pa, const void *pb)
{
    const struct break_place *a = *(struct break_place *const *)pa, *b = *(struct break_place *const *)pb;

    return a->met != b->met ? (a->met < b->met ? 1 : -1) : by_members(&a->first, &b->first);
}

void breaks_find(struct arena *a, const struct run *r, struct break_groups *out)
{
    struct map groups, resumes;
    const struct compile *c;

    map_init(&groups, a);
    map_init(&resumes, a);
    *out = (struct break_groups){0};
    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));)
        add_compile(a, &groups, out, c);
    index_resumes(a, r, &resumes);
    for (size_t i = 0; i < out->list.n; i++) {
        describe(out->list.v[i]);
        add_resumes(a, out->list.v[i], &resumes);
    }
    if (out->list.n == 0)
        return;
    qsort(out->list.v, out->list.n, sizeof *out->list.v, by_members);
    collect_places(a, out);
    qsort(out->places.v, out->places.n, sizeof *out->places.v, by_met);
}
