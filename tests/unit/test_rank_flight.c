/* Where process groups stand still, out of dumps of Flight Recorders made in memory. */
#include "unit.h"

#include "ranks/flight/flight_stops.h"

#include <string.h>

struct made {
    struct arena *a;
    struct run run;
    struct flight_dump *dump; /* of the last rank */
};

static void begin(struct made *m)
{
    memset(m, 0, sizeof *m);
    m->a = arena_new();
    m->run.groups = 1;
}

/* The next rank, with its dump: one group "0" of this library, whose members are unknown. */
static void add_rank(struct made *m, const char *backend)
{
    struct process *p = ARENA_NEW(m->a, struct process);
    struct flight_group *g;

    p->rank = (int)m->run.processes.n;
    p->index = (uint32_t)p->rank;
    m->dump = ARENA_NEW(m->a, struct flight_dump);
    g = vec_add(m->a, &m->dump->groups);
    *g = (struct flight_group){.backend = str_of(backend), .name = STR("0"), .enqueued = -1, .completed = -1};
    vec_push(m->a, &p->flights, m->dump);
    vec_push(m->a, &m->run.processes, p);
}

/* The last rank calls an operation as number n of the group. */
static struct flight_op *add_call(struct made *m, const char *name, uint64_t n, enum flight_state state)
{
    struct flight_op *op = vec_add(m->a, &m->dump->ops);
    struct flight_entry *e = vec_add(m->a, &m->dump->entries);

    *op = (struct flight_op){.backend = m->dump->groups.v[0].backend,
                             .name = str_of(name),
                             .in_shape = STR("[4]"),
                             .in_dtype = STR("f32"),
                             .out_shape = STR("[4]"),
                             .out_dtype = STR("f32"),
                             .tensors = 1};
    *e = (struct flight_entry){
        .op = (uint32_t)m->dump->ops.n - 1, .state = state, .number = n, .created_ns = (int64_t)n};
    return op;
}

static struct str numbers(struct arena *a, const int *v, size_t n)
{
    struct str out = {"", 0};

    for (size_t i = 0; i < n; i++)
        out = arena_printf(a, "%.*s%s%d", STR_ARG(out), i ? " " : "", v[i]);
    return out;
}

/* "not_reached 3: 0 1 wait, 2 absent" for each group that stands still. */
static void assert_stops(struct made *m, const char *expected)
{
    const struct flight_run *found = flight_stops_find(m->a, &m->run, 0);
    struct str out = {"", 0};

    assert_non_null(found);
    vec_each(const struct flight_stop, s, &found->stops)
    {
        out = arena_printf(m->a, "%.*s%s%s %d: %.*s %s, %.*s absent", STR_ARG(out), out.n ? "; " : "",
                           flight_verdict_name(s->verdict), (int)s->number,
                           STR_ARG(numbers(m->a, s->waiting.v, s->waiting.n)), s->ended ? "done" : "wait",
                           STR_ARG(numbers(m->a, s->absent.v, s->absent.n)));
        assert_int_equal(s->call.entry->number, s->number);
    }
    assert_str(out, expected);
    arena_free(m->a);
}

/* Of several calls that are not completed the lowest number is where a rank stands: the others wait behind it. */
static void the_lowest_open_call(void **state)
{
    struct made m;

    (void)state;
    begin(&m);
    for (int rank = 0; rank < 3; rank++) {
        add_rank(&m, "nccl");
        add_call(&m, "all_reduce", 1, FLIGHT_COMPLETED);
        add_call(&m, "all_reduce", 2, rank == 2 ? FLIGHT_COMPLETED : FLIGHT_STARTED);
        add_call(&m, "all_reduce", 3, FLIGHT_SCHEDULED);
    }
    assert_stops(&m, "waiting 2: 0 1 wait,  absent");

    begin(&m);
    for (int rank = 0; rank < 3; rank++) {
        add_rank(&m, "nccl");
        add_call(&m, "all_reduce", 2, FLIGHT_STARTED);
        if (rank != 1)
            add_call(&m, "all_reduce", 3, FLIGHT_SCHEDULED);
    }
    assert_stops(&m, "waiting 2: 0 1 2 wait,  absent");

    begin(&m);
    for (int rank = 0; rank < 3; rank++) {
        add_rank(&m, "nccl");
        add_call(&m, "all_reduce", 1, FLIGHT_COMPLETED);
        if (rank != 1)
            add_call(&m, "all_reduce", 3, FLIGHT_SCHEDULED);
        if (rank != 1)
            add_call(&m, "all_reduce", 2, FLIGHT_STARTED);
    }
    assert_stops(&m, "not_reached 2: 0 2 wait, 1 absent");
}

/* One member of what the op of the last rank has is another; the first call differs from it. */
static void different_calls(void **state)
{
    static const struct {
        const char *name;
        size_t field; /* of struct flight_op */
        const char *value;
        bool differs;
    } cases[] = {
        {"all_reduce", offsetof(struct flight_op, name), "broadcast", true},
        {"all_reduce", offsetof(struct flight_op, in_shape), "[8]", true},
        {"all_reduce", offsetof(struct flight_op, out_shape), "[8]", true},
        {"all_reduce", offsetof(struct flight_op, in_dtype), "f16", true},
        {"all_reduce", offsetof(struct flight_op, out_dtype), "f16", true},
        {"all_to_all", offsetof(struct flight_op, in_shape), "[8]", false},
        {"gather", offsetof(struct flight_op, out_shape), "[8]", false},
        {"all_reduce", offsetof(struct flight_op, peers), "", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct made m;

        begin(&m);
        for (int rank = 0; rank < 3; rank++) {
            struct flight_op *op;

            add_rank(&m, "nccl");
            op = add_call(&m, cases[i].name, 1, FLIGHT_STARTED);
            if (rank == 1)
                *(struct str *)((char *)op + cases[i].field) = str_of(cases[i].value);
        }
        assert_stops(&m, cases[i].differs ? "different 1: 0 2 wait, 1 absent" : "waiting 1: 0 1 2 wait,  absent");
    }
}

/* Gloo counts a failed collective as done: the ranks that did not make it are reported; NCCL only completes a
 * collective that all made. */
static void calls_that_ended(void **state)
{
    (void)state;
    for (int gloo = 0; gloo < 2; gloo++) {
        const struct flight_run *found;
        struct made m;

        begin(&m);
        for (int rank = 0; rank < 3; rank++) {
            add_rank(&m, gloo ? "gloo" : "nccl");
            for (uint64_t n = 1; n <= (rank == 2 ? 3 : 4); n++)
                add_call(&m, "all_reduce", n, FLIGHT_COMPLETED);
        }
        if (gloo) {
            found = flight_stops_find(m.a, &m.run, 0);
            assert_int_equal(found->ranks.v[0]->last.entry->number, 3);
            assert_int_equal(found->ranks.v[0]->current.entry->number, 4);
            assert_int_equal(found->ranks.v[2]->last.entry->number, 3);
            assert_null(found->ranks.v[2]->current.entry);
        }
        assert_stops(&m, gloo ? "not_reached 4: 0 1 done, 2 absent" : "");
    }
}

/* The last call that a rank made with the others comes before the one that ended, if its dump still has it. */
static void the_call_before_the_one_that_ended(void **state)
{
    static const struct {
        uint64_t first; /* the oldest call in the dump */
        uint64_t last;  /* 0: none */
    } cases[] = {{1, 3}, {2, 3}, {3, 3}, {4, 0}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct flight_rank *rank;
        struct made m;

        begin(&m);
        add_rank(&m, "gloo");
        for (uint64_t n = cases[i].first; n <= 4; n++)
            add_call(&m, "all_reduce", n, FLIGHT_COMPLETED);
        add_rank(&m, "gloo");
        for (uint64_t n = 1; n <= 3; n++)
            add_call(&m, "all_reduce", n, FLIGHT_COMPLETED);
        rank = flight_stops_find(m.a, &m.run, 0)->ranks.v[0];
        assert_int_equal(rank->current.entry->number, 4);
        assert_int_equal(rank->last.entry ? rank->last.entry->number : 0, cases[i].last);
        assert_stops(&m, "not_reached 4: 0 done, 1 absent");
    }
}

/* Those that came late and those whose dump does not know the group are in one list, by rank. */
static void ranks_that_never_came(void **state)
{
    struct made m;

    (void)state;
    begin(&m);
    for (int rank = 0; rank < 4; rank++) {
        add_rank(&m, "nccl");
        if (rank == 1)
            m.dump->groups.n = 0;
        else
            add_call(&m, "all_reduce", 1, FLIGHT_COMPLETED);
        if (rank % 2 == 0)
            add_call(&m, "all_reduce", 2, FLIGHT_STARTED);
    }
    assert_stops(&m, "not_reached 2: 0 2 wait, 1 3 absent");
}

/* Causes first; then by how many wait, the name of the group, and the first that waits. */
static void order(void **state)
{
    static const struct {
        const char *group, *call;
        uint64_t members[2];
    } ranks[] = {{"b", "all_reduce", {0, 1}},  {"b", "all_reduce", {0, 1}}, {"a", "all_reduce", {2, 3}},
                 {"a", "all_reduce", {2, 3}},  {"a", "all_reduce", {4, 5}}, {"a", "all_reduce", {4, 5}},
                 {"a2", "all_reduce", {6, 6}}, {"c", "all_reduce", {7, 8}}, {"c", "broadcast", {7, 8}}};
    struct made m;

    (void)state;
    begin(&m);
    for (size_t i = 0; i < COUNT(ranks); i++) {
        struct flight_group *g;

        add_rank(&m, "nccl");
        g = &m.dump->groups.v[0];
        g->name = str_of(ranks[i].group);
        for (size_t k = 0; k < COUNT(ranks[i].members); k++)
            vec_push(m.a, &g->ranks, ranks[i].members[k]);
        add_call(&m, ranks[i].call, 1, FLIGHT_STARTED);
    }
    assert_stops(&m, "different 1: 7 wait, 8 absent; waiting 1: 2 3 wait,  absent; waiting 1: 4 5 wait,  absent; "
                     "waiting 1: 0 1 wait,  absent; waiting 1: 6 wait,  absent");
}

static void all_moves(void **state)
{
    struct made m;

    (void)state;
    begin(&m);
    for (int rank = 0; rank < 2; rank++) {
        add_rank(&m, "gloo");
        add_call(&m, "all_reduce", 1, FLIGHT_COMPLETED);
    }
    assert_stops(&m, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lowest_open_call),
        cmocka_unit_test(different_calls),
        cmocka_unit_test(calls_that_ended),
        cmocka_unit_test(the_call_before_the_one_that_ended),
        cmocka_unit_test(ranks_that_never_came),
        cmocka_unit_test(order),
        cmocka_unit_test(all_moves),
    };

    return RUN(tests);
}
