#include "analysis/breaks.h"

#include "util/map.h"

#include <stdlib.h>

static struct break_group *group_of(struct arena *a, struct map *groups, struct break_groups *out, const struct graph_break *b)
{
    const struct process *p = b->compile->process;
    struct str function = b->line ? (struct str){0} : b->function; /* the best there is where no line is known */
    struct str key = arena_printf(a, "%u %d %lld %.*s\n%.*s\n%.*s", p->group, p->rank, (long long)b->line, STR_ARG(b->file),
                                  STR_ARG(function), STR_ARG(b->type));
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
    const struct call *innermost = g->sample->stack, *own = stack_user_call(innermost);

    if (innermost && innermost->line == g->sample->line && str_eq(innermost->file, g->sample->file))
        g->source = innermost->source;
    if (own && own != innermost && !is_framework_file(own->file))
        g->own = own;
}

/* Resume functions by what they resume: "file\nfunction\nepoch" -> list of first compiles. */
struct resume_list {
    VEC(const struct compile *) list;
};

static struct str resume_key(struct arena *a, const struct process *p, uint32_t epoch, struct str file, struct str function)
{
    return arena_printf(a, "%u %u %.*s\n%.*s", p->index, epoch, STR_ARG(file), STR_ARG(function));
}

static void index_resumes(struct arena *a, const struct run *r, struct map *out)
{
    for (size_t i = 0; i < r->processes.n; i++)
        for (size_t k = 0; k < r->processes.v[i]->frames.n; k++) {
            const struct frame *f = r->processes.v[i]->frames.v[k];
            void **slot;

            if (!f->is_resume || f->compiles.n == 0)
                continue;
            slot = map_at(out, resume_key(a, f->process, f->epoch, f->file, f->resumes));
            if (!*slot)
                *slot = ARENA_NEW(a, struct resume_list);
            vec_push(a, &((struct resume_list *)*slot)->list, f->compiles.v[0]);
        }
}

/* A break makes resume functions of every function on the way out; the one that is resumed at its line is told here. */
static void add_resumes(struct arena *a, struct break_group *g, const struct map *resumes)
{
    const struct graph_break *b = g->sample;
    const struct process *p = b->compile->process;
    const struct resume_list *found = map_get(resumes, resume_key(a, p, b->compile->epoch, b->file, b->function));

    if (!found)
        return;
    for (size_t i = 0; i < found->list.n; i++) {
        int64_t distance = found->list.v[i]->frame->resumes_line - b->line;

        /* The resume function is named after the line where it goes on: the same, or the end of the statement. */
        if (distance >= 0 && distance <= 3)
            vec_push(a, &g->resumes, found->list.v[i]);
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
    if (out->list.n)
        qsort(out->list.v, out->list.n, sizeof *out->list.v, by_members);
}
