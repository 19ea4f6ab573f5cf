/* Which ranks of each run are there, and which are missing. */
#include "unit.h"

#include "model/rank_list.h"
#include "ranks/compare/roster.h"

#include <stdio.h>
#include <stdlib.h>

/* So many compiles, of which the first one calls a collective of as many ranks. */
static void add_compiles(struct run *r, struct process *p, long n)
{
    struct artifact *graph = ARENA_NEW(r->arena, struct artifact);
    struct artifact_content *content = ARENA_NEW(r->arena, struct artifact_content);

    vec_push(r->arena, &content->calls, ((struct collective_call){.group = STR("0"), .group_size = (uint64_t)n}));
    graph->info = artifact_info_find(STR("dynamo_output_graph"));
    graph->content = content;
    for (long i = 0; i < n; i++) {
        struct compile *c = ARENA_NEW(r->arena, struct compile);

        if (i == 0)
            vec_push(r->arena, &c->artifacts, graph);
        vec_push(r->arena, &p->compiles, c);
    }
}

/*
 * Processes as a text, in the order of their ranks: "0 1b 3:8 4+5" has rank 0, rank 1 of run b, rank 3, of which it is
 * known that there are 8 ranks, and rank 4 with 5 compiles; '?' is an unknown rank, '*' a process of another file.
 */
static void add_processes(struct run *r, const char *text)
{
    struct input *in = ARENA_NEW(r->arena, struct input);

    in->kind = INPUT_TORCH_LOGS;
    r->groups = 1;
    for (char *p = (char *)(uintptr_t)text; *p; p += *p == ' ') {
        struct process *of = ARENA_NEW(r->arena, struct process);

        of->input = in;
        of->rank = *p == '?' ? RANK_UNKNOWN : (int)strtol(p, &p, 10);
        for (; *p && *p != ' ' && *p != ':' && *p != '+'; p++) {
            if (*p == '*')
                of->input = ARENA_NEW(r->arena, struct input);
            else if (*p == 'b')
                of->group = 1;
        }
        if (*p == ':')
            of->world_size = strtoull(p + 1, &p, 10);
        if (*p == '+')
            add_compiles(r, of, strtol(p + 1, &p, 10));
        r->groups = of->group ? 2 : r->groups;
        vec_push(r->arena, &r->processes, of);
    }
}

static struct str numbers_of(struct arena *a, const int *ranks, size_t n)
{
    struct str words = rank_list_words(a, ranks, n);

    return n ? str_skip(words, (size_t)str_chr(words, ' ') + 1) : STR("none");
}

/* "0-2 without 3 of 4; b: 5 without none of 0" */
static struct str rosters_of(struct arena *a, const struct ranks *r)
{
    struct str out = STR("");

    for (size_t i = 0; i < r->rosters.n; i++) {
        const struct rank_roster *x = r->rosters.v[i];

        out = arena_printf(a, "%.*s%s%s%.*s without %.*s of %llu", STR_ARG(out), i ? "; " : "", x->group ? "b: " : "",
                           STR_ARG(numbers_of(a, x->present.v, x->present.n)),
                           STR_ARG(numbers_of(a, x->absent.v, x->absent.n)), (unsigned long long)x->world_size);
    }
    return out;
}

static void rosters(void **state)
{
    static const struct {
        bool console;
        const char *processes, *rosters;
    } cases[] = {
        {false, "", ""},
        {false, "?", ""},
        {false, "0", "0 without none of 0"},
        {false, "0 1 2", "0-2 without none of 0"},
        {false, "0 0 1", "0, 1 without none of 0"},
        {false, "0 2 5", "0, 2, 5 without 1, 3, 4 of 0"},
        {false, "1", "1 without 0 of 0"},
        {false, "0 1:4", "0, 1 without 2, 3 of 4"},
        {false, "0:4 1:8", "0, 1 without 2, 3 of 4"},
        {false, "? 0 1:2", "0, 1 without none of 2"},
        {false, "?:8 1:3", "1 without 0, 2 of 3"},
        {false, "0 5:2", "0, 5 without 1-4 of 2"},
        /* The process that compiled most shows it, unless one is known to. */
        {false, "0+4 1+6 2+5", "0-2 without 3-5 of 6"},
        {false, "0+4 1 2+4", "0-2 without 3 of 4"},
        {false, "0+6 1:3", "0, 1 without 2 of 3"},
        {false, "0b+6 0+4", "0 without none of 4; b: 0 without none of 6"},
        /* On a console, a rank may have printed nothing, but not if there are files besides. */
        {true, "0 2:4", "0, 2 without none of 4"},
        {true, "0 2*:4", "0, 2 without 1, 3 of 4"},
        {true, "0 ?* 2:4", "0, 2 without none of 4"},
        /* Of another run of other ranks, or of the same ones, with a file that was left over. */
        {false, "0 1 2b 3b", "0, 1 without none of 0; b: 2, 3 without none of 0"},
        {false, "0:4 1 2b:4 3b", "0, 1 without none of 4; b: 2, 3 without none of 4"},
        {false, "0:6 1 2b:6 3b", "0, 1 without 4, 5 of 6; b: 2, 3 without 4, 5 of 6"},
        {false, "0:4 0b:4 1 2b", "0, 1 without 2, 3 of 4; b: 0, 2 without 1, 3 of 4"},
        {false, "0:4 1 3b:4", "0, 1 without 2 of 4; b: 3 without none of 4"},
        {false, "0:3 1 1b:3", "0, 1 without 2 of 3; b: 1 without none of 3"},
        {false, "2b 4b", "b: 2, 4 without 0, 1, 3 of 0"},
        {true, "0:4 0*b 2*b", "0 without none of 4; b: 0, 2 without 1 of 0"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct run r = {.arena = arena_new()};
        struct ranks out = {0};

        add_processes(&r, cases[i].processes);
        for (size_t k = 0; k < r.processes.n && !cases[i].console; k++)
            r.processes.v[k]->input->kind = INPUT_TORCH_TRACE;
        rosters_find(r.arena, &r, &out);
        assert_str(rosters_of(r.arena, &out), cases[i].rosters);
        arena_free(r.arena);
    }
}

/* A rank of a million is forged: not all below it are missing. */
static void far_ranks(void **state)
{
    static const char *const jobs[] = {"0 1000000", "0:1000000"};

    (void)state;
    for (size_t i = 0; i < COUNT(jobs); i++) {
        struct run r = {.arena = arena_new()};
        struct ranks out = {0};

        add_processes(&r, jobs[i]);
        r.processes.v[0]->input->kind = INPUT_TORCH_TRACE;
        rosters_find(r.arena, &r, &out);
        assert_int_equal(out.rosters.v[0]->absent.n, RANKS_ABSENT_MAX);
        assert_int_equal(out.rosters.v[0]->absent.v[RANKS_ABSENT_MAX - 1], RANKS_ABSENT_MAX);
        arena_free(r.arena);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(rosters), cmocka_unit_test(far_ranks)};

    return RUN(tests);
}
