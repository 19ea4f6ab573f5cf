/*
 * ranks_made: jobs of several ranks for tests, made of fingerprints alone: no trace is written or read.
 *
 *     struct job j;
 *
 *     job_begin(&j);
 *     for (int rank = 0; rank < 3; rank++) {
 *         job_rank(&j);
 *         job_compile(&j, "f", 0)->facets[FACET_GRAPH] = rank == 2 ? OTHER : SAME;
 *     }
 *     job_end(&j);
 *     job_divergences(&j);    "graph f/0 [0 1] [2]"
 *     job_free(&j);
 *
 * Texts that are returned live as long as the job.
 */
#pragma once

#include "unit.h"

#include "ranks/calls/execution.h"
#include "ranks/calls/hang.h"
#include "ranks/compare/matrix.h"
#include "ranks/divergence.h"

#include <stdio.h>
#include <string.h>

enum { SAME = 1, OTHER = 2 };

struct job {
    struct arena *a;
    struct matrix_maker maker;
    struct rank_run run;
    struct rank_roster roster;
    struct process *process; /* of the last rank */
};

static inline void job_begin(struct job *j)
{
    memset(j, 0, sizeof *j);
    j->a = arena_new();
    matrix_begin(&j->maker, j->a, &j->run.matrix);
}

/* The next rank. */
static inline void job_rank(struct job *j)
{
    j->process = ARENA_NEW(j->a, struct process);
    j->process->rank = (int)j->run.matrix.members.n;
    matrix_add_member(&j->maker, j->process);
}

static inline struct frame *job_frame(struct job *j, const char *function)
{
    struct frame *f;

    for (size_t i = 0; i < j->process->frames.n; i++)
        if (str_eq(j->process->frames.v[i]->name, str_of(function)))
            return j->process->frames.v[i];
    f = ARENA_NEW(j->a, struct frame);
    *f = (struct frame){.process = j->process, .autograd = ID_NONE, .name = str_of(function), .file = STR("job.py")};
    f->id = (int32_t)j->process->frames.n;
    vec_push(j->a, &j->process->frames, f);
    *map_number_at(&j->maker.frames, MAP_KEY(f)) = 1;
    return f;
}

/* The last rank compiles [f/number]: as all ranks do, until the fingerprint is changed. */
static inline struct fingerprint *job_compile(struct job *j, const char *function, int number)
{
    struct compile *c = ARENA_NEW(j->a, struct compile);
    struct fingerprint *print = ARENA_NEW(j->a, struct fingerprint);

    c->process = j->process;
    c->frame = job_frame(j, function);
    c->id = (struct compile_id){.autograd = ID_NONE, .frame = c->frame->id, .compile = number};
    for (int f = 0; f < FACETS; f++) {
        print->facets[f] = SAME;
        print->counts[f] = 1;
    }
    print->facets[FACET_SIZES] = 0;
    matrix_add_compile(&j->maker, c, print);
    vec_push(j->a, &j->process->compiles, c);
    return print;
}

/* The compile that was added last. */
static inline struct compile *job_last(struct job *j)
{
    return j->process->compiles.v[j->process->compiles.n - 1];
}

static inline void job_end(struct job *j)
{
    matrix_end(&j->maker);
    j->run.roster = &j->roster;
    j->run.execution = execution_find(j->a, &j->run.matrix);
    divergences_find(j->a, &j->run);
}

static inline void job_free(struct job *j)
{
    arena_free(j->a);
}

/*
 * Collectives as a text: a letter for the operation, a digit for the group: "r0 g1" is a reduction in group 0, then a
 * gather in group 1. 'R' is a reduction of another size, 'd' one of a dynamic size, 'D' of two dimensions, 'm' one with
 * another operation.
 */
static inline struct rank_steps job_steps(struct arena *a, const char *text)
{
    struct rank_steps steps;

    rank_steps_init(&steps, a);
    for (; *text; text += text[2] ? 3 : 2) {
        struct collective_call *c = ARENA_NEW(a, struct collective_call);
        struct rank_step step = {.call = c};

        c->op = *text == 'g' ? STR("all_gather_into_tensor") : STR("all_reduce");
        c->reduction = *text == 'm' ? STR("max") : STR("sum");
        c->dtype = STR("f32");
        c->shape = *text == 'R'   ? STR("[8]")
                   : *text == 'd' ? STR("[s27]")
                   : *text == 'D' ? STR("[s27, 4]")
                                  : STR("[4]");
        c->group = arena_printf(a, "%c", text[1]);
        rank_steps_add(&steps, a, &step);
    }
    return steps;
}

static inline struct str job_groups(struct job *j, const struct divergence *d)
{
    struct str out = {"", 0};

    for (size_t i = 0; i < d->groups.n; i++) {
        out = arena_printf(j->a, "%.*s [", STR_ARG(out));
        for (size_t k = 0; k < d->groups.v[i].ranks.n; k++)
            out = arena_printf(j->a, "%.*s%s%d", STR_ARG(out), k ? " " : "", d->groups.v[i].ranks.v[k]);
        out = arena_printf(j->a, "%.*s]%s", STR_ARG(out), i == d->outlier ? "*" : "");
    }
    return out;
}

/* "graph f/0 [0 1] [2]*, …": kind, compile and groups, the outlier with a star; "< g/0" for what follows another. */
static inline struct str job_list(struct job *j, struct divergence *const *v, size_t n)
{
    struct str out = {"", 0};

    for (size_t i = 0; i < n; i++) {
        out =
            arena_printf(j->a, "%.*s%s%s %.*s/%d%.*s", STR_ARG(out), i ? ", " : "", divergence_kind_name(v[i]->kind),
                         STR_ARG(v[i]->compile->frame->name), v[i]->compile->id.compile, STR_ARG(job_groups(j, v[i])));
        if (v[i]->follows)
            out = arena_printf(j->a, "%.*s < %.*s/%d", STR_ARG(out), STR_ARG(v[i]->follows->compile->frame->name),
                               v[i]->follows->compile->id.compile);
    }
    return out;
}

static inline struct str job_divergences(struct job *j)
{
    return job_list(j, j->run.divergences.v, j->run.divergences.n);
}

static inline struct str job_differences(struct job *j)
{
    return job_list(j, j->run.differences.v, j->run.differences.n);
}

/* "[0 2] [1]": ranks that are one column. */
static inline struct str job_columns(struct job *j)
{
    struct str out = {"", 0};

    for (size_t i = 0; i < j->run.columns.n; i++) {
        out = arena_printf(j->a, "%.*s%s[", STR_ARG(out), i ? " " : "");
        for (size_t k = 0; k < j->run.columns.v[i].ranks.n; k++)
            out = arena_printf(j->a, "%.*s%s%d", STR_ARG(out), k ? " " : "", j->run.columns.v[i].ranks.v[k]);
        out = arena_printf(j->a, "%.*s]", STR_ARG(out));
    }
    return out;
}
