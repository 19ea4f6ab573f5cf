#include "answers_text.h"

#include "analysis/time/timing.h"

/* --- intervals of events ------------------------------------------------------------------------------------------ */

/* One event of a timeline, for a table: when in microseconds, and of which compile (-1: none). */
struct step {
    unsigned us;
    char phase;
    const char *name;
    int compile;
};

static const struct answers *answers_of_steps(const struct step *steps, size_t n)
{
    struct trace_text t = {0};

    for (size_t i = 0; i < n && steps[i].name; i++)
        trace_event(&t, steps[i].compile < 0 ? "" : trace_ids(steps[i].compile, 0, 0), steps[i].name, steps[i].phase,
                    steps[i].us);
    return answers_of_trace(&t);
}

/* "a 2 10/4, b 1 6/6": each name with how often, wall time and self time in microseconds; then the wall time of all. */
static struct str timing_of(const struct answers *a)
{
    struct arena *s = a->run->arena;
    struct str out = STR("");

    for (size_t i = 0; i < a->timing.events.n; i++) {
        const struct event_total *e = a->timing.events.v[i];

        assert_int_equal(e->wall_ns % 1000, 0);
        out = arena_printf(s, "%.*s%s%.*s %llu %lld/%lld", STR_ARG(out), i ? ", " : "", STR_ARG(e->name),
                           (unsigned long long)e->count, (long long)e->wall_ns / 1000, (long long)e->self_ns / 1000);
    }
    return out;
}

static const struct {
    const char *what;
    struct step steps[10];
    const char *expected;
} timelines[] = {
    {"one inside the other: what is inside does not count twice",
     {{0, 'B', "dynamo", 0}, {10, 'B', "in", 0}, {40, 'E', "in", 0}, {100, 'E', "dynamo", 0}},
     "dynamo 1 100/70, in 1 30/30"},
    {"the same name inside itself is one stretch",
     {{0, 'B', "dynamo", 0}, {10, 'B', "dynamo", 0}, {40, 'E', "dynamo", 0}, {100, 'E', "dynamo", 0}},
     "dynamo 2 100/100"},
    {"one after the other, with a gap",
     {{0, 'B', "a", 0}, {10, 'E', "a", 0}, {50, 'B', "a", 0}, {60, 'E', "a", 0}},
     "a 2 20/20"},
    {"one begins where the other ends",
     {{0, 'B', "a", 0}, {10, 'E', "a", 0}, {10, 'B', "b", 0}, {30, 'E', "b", 0}},
     "b 1 20/20, a 1 10/10"},
    {"both begin at once: the inner one has the time",
     {{0, 'B', "a", 0}, {0, 'B', "b", 0}, {10, 'E', "b", 0}, {10, 'E', "a", 0}},
     "a 1 10/0, b 1 10/10"},
    {"three levels",
     {{0, 'B', "a", 0}, {1, 'B', "b", 0}, {2, 'B', "c", 0}, {4, 'E', "c", 0}, {7, 'E', "b", 0}, {9, 'E', "a", 0}},
     "a 1 9/3, b 1 6/4, c 1 2/2"},
    {"two threads, two compiles: they overlap, and each moment counts once",
     {{0, 'B', "a", 0}, {10, 'B', "b", 1}, {30, 'E', "a", 0}, {50, 'E', "b", 1}},
     "b 1 40/40, a 1 30/10"},
    {"work without an id during a compile runs beside it: it has no part of the compile's time",
     {{0, 'B', "dynamo", 0}, {10, 'B', "worker", -1}, {60, 'E', "dynamo", 0}, {90, 'E', "worker", -1}},
     "worker 1 80/0, dynamo 1 60/60"},
    {"work without an id outside of compiles counts: AOTInductor writes no ids",
     {{0, 'B', "compile_fx_aot", -1}, {10, 'B', "in", -1}, {60, 'E', "in", -1}, {90, 'E', "compile_fx_aot", -1}},
     "compile_fx_aot 1 90/40, in 1 50/50"},
    {"without an end: until the event around it ends",
     {{0, 'B', "a", 0}, {10, 'B', "b", 0}, {100, 'E', "a", 0}},
     "a 1 100/10, b 1 90/90"},
    {"the last one without an end: until the last time seen",
     {{0, 'B', "a", 0}, {10, 'B', "b", 0}, {30, 'E', "b", 0}},
     "a 1 30/10, b 1 20/20"},
    {"an end without a beginning takes no time",
     {{0, 'B', "a", 0}, {5, 'E', "b", 0}, {9, 'E', "a", 0}},
     "a 1 9/9, b 1 0/0"},
    {"an instant is no event of the tables", {{0, 'B', "a", 0}, {5, 'i', "hit", 0}, {9, 'E', "a", 0}}, "a 1 9/9"},
    {"an end before the beginning takes no time", {{9, 'B', "a", 0}, {5, 'E', "a", 0}}, "a 1 0/0"},
};

static void wall_and_self_times(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(timelines); i++) {
        const struct answers *a = answers_of_steps(timelines[i].steps, COUNT(timelines[i].steps));
        struct str got = timing_of(a);

        if (!str_eq(got, str_of(timelines[i].expected)))
            fail_msg("%s: %.*s", timelines[i].what, STR_ARG(got));
        answers_free(a);
    }
}

/* Self times are a partition: they add up to the time that anything went on, and no phase has more than that. */
static void self_times_add_up(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        static const char *const names[] = {"dynamo", "build_guards", "inductor_compile", "gc"};
        uint64_t random = seed;
        struct trace_text t = {0};
        const struct answers *a;
        const char *open[12];
        unsigned us = 0;
        size_t depth = 0;
        int64_t self = 0, phases = 0;

        for (int i = 0; i < 12 || depth; i++) {
            bool end = depth && (i >= 12 || test_random(&random) % 2);
            const char *name = end ? open[--depth] : depth ? names[1 + test_random(&random) % 3] : names[0];

            if (!end)
                open[depth++] = name;
            us += (unsigned)(test_random(&random) % 20);
            trace_event(&t, IN(0, 0, 0), name, end ? 'E' : 'B', us);
        }
        a = answers_of_trace(&t);
        for (size_t i = 0; i < a->timing.events.n; i++) {
            assert_true(a->timing.events.v[i]->self_ns <= a->timing.events.v[i]->wall_ns);
            self += a->timing.events.v[i]->self_ns;
        }
        for (int i = 0; i < PHASE_COUNT; i++) {
            assert_true(a->timing.phase_self_ns[i] / 1000 <= a->timing.compile_wall_us);
            phases += a->timing.phase_self_ns[i];
        }
        assert_int_equal(self, phases);
        assert_true(self / 1000 <= a->timing.compile_wall_us);
        for (size_t i = 0; i < a->timing.events.n; i++) /* all is inside of `dynamo` */
            if (str_eq(a->timing.events.v[i]->name, STR("dynamo")))
                assert_int_equal(a->timing.events.v[i]->wall_ns, self);
        answers_free(a);
    }
}

static void phases_of_events(void **state)
{
    static const struct {
        const char *name;
        enum phase phase;
    } cases[] = {
        /* 2.13 */
        {"dynamo", PHASE_DYNAMO},
        {"entire_frame_compile", PHASE_DYNAMO},
        {"compile_attempt_0", PHASE_DYNAMO},
        {"compile_attempt_12", PHASE_DYNAMO},
        {"bytecode_tracing", PHASE_DYNAMO},
        {"build_guards", PHASE_GUARDS},
        {"backend_compile", PHASE_BACKEND},
        {"create_aot_dispatcher_function", PHASE_AOT},
        {"aot_collect_metadata", PHASE_AOT},
        {"min_cut_rematerialization_partition", PHASE_AOT},
        {"pass.post_grad_passes.group_batch_fusion", PHASE_PASSES},
        {"_recursive_joint_graph_passes", PHASE_PASSES},
        {"_recursive_post_grad_passes", PHASE_PASSES},
        {"inductor_compile", PHASE_INDUCTOR},
        {"fx_codegen_and_compile", PHASE_INDUCTOR},
        {"compile_fx.<locals>.fw_compiler_base", PHASE_INDUCTOR},
        {"GraphLowering.run", PHASE_INDUCTOR},
        {"Scheduler.fused_nodes", PHASE_INDUCTOR},
        {"code_gen", PHASE_INDUCTOR},
        {"compile_file", PHASE_COMPILER},
        {"async_compile.wait", PHASE_COMPILER},
        {"PyCodeCache.load_by_key_path", PHASE_COMPILER},
        {"CachingAutotuner.benchmark_all_configs", PHASE_AUTOTUNE},
        {"CachingAutotuner.synchronize", PHASE_COMPILER},
        {"fx_graph_cache_hit", PHASE_CACHE},
        {"AOTAutogradCache.inductor_load", PHASE_CACHE},
        {"inductor_codecache_torch_key", PHASE_CACHE},
        {"pgo.get_local_code_state", PHASE_CACHE},
        {"gc", PHASE_OTHER},
        {"fullgraph_capture", PHASE_DYNAMO},
        {"bytecode_hooks_0", PHASE_DYNAMO},
        {"precompile_build_guards", PHASE_GUARDS},
        {"fx.bucketing.merge_all_gather", PHASE_PASSES},
        {"CppWrapperCpu.generate", PHASE_INDUCTOR},
        {"aoti_compile_fatbin", PHASE_COMPILER},
        {"AotCodeCompiler.compile", PHASE_COMPILER},
        {"StaticAutotunerFuture.warm_precompile", PHASE_COMPILER},
        {"mm_template_precompiling", PHASE_COMPILER},
        {"mm_template_autotuning", PHASE_AUTOTUNE},
        {"CachingAutotuner.coordinate_descent_tuning", PHASE_AUTOTUNE},
        {"CachingAutotuner.slow_precompile_config", PHASE_COMPILER},
        {"GraphPickler.loads", PHASE_CACHE},
        /* 2.5 */
        {"_compile.compile_inner", PHASE_DYNAMO},
        {"OutputGraph.call_user_compiler", PHASE_BACKEND},
        {"WrapperCodeGen.generate", PHASE_INDUCTOR},
        /* of nobody */
        {"", PHASE_OTHER},
        {"what", PHASE_OTHER},
        {"my dynamo", PHASE_OTHER},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (phase_of_event(str_of(cases[i].name)) != cases[i].phase)
            fail_msg("%s is of %s", cases[i].name, phase_name(phase_of_event(str_of(cases[i].name))));
    for (int i = 0; i < PHASE_COUNT; i++)
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(phase_name(i), phase_name(k));
            assert_string_not_equal(phase_title(i), phase_title(k));
        }
}

/* --- while anything was being compiled ---------------------------------------------------------------------------- */

#define AT(begin, us) "\"start_time_us\": 1795255200" #begin ", \"duration_us\": " #us

static void the_wall_time_of_compiles(void **state)
{
    static const struct {
        const char *what;
        const char *metrics[3];
        int64_t wall_us;
    } cases[] = {
        {"apart", {AT(000100, 50), AT(000300, 50), NULL}, 100},
        {"one inside the other", {AT(000100, 500), AT(000200, 50), NULL}, 500},
        {"overlapping", {AT(000100, 100), AT(000150, 100), NULL}, 150},
        {"the same time", {AT(000100, 100), AT(000100, 100), AT(000100, 100)}, 100},
        {"not in order", {AT(000500, 100), AT(000100, 100), AT(000300, 100)}, 300},
        {"no time at all", {AT(000500, 0), NULL, NULL}, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        const struct answers *a;

        for (int k = 0; k < 3 && cases[i].metrics[k]; k++)
            trace_metrics(&t, trace_ids(k, 0, 0), cases[i].metrics[k]);
        a = answers_of_trace(&t);
        if (a->timing.compile_wall_us != cases[i].wall_us)
            fail_msg("%s: %lld", cases[i].what, (long long)a->timing.compile_wall_us);
        assert_int_equal(a->timing.process_wall_us[0], cases[i].wall_us);
        assert_false(a->timing.has_events);
        answers_free(a);
    }
}

/* Backward graphs have metrics of their own, which one compile may have several of; runtime metrics are of no compile.
 */
static void backward_and_runtime_metrics(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_metrics(&t, IN(0, 0, 0), AT(000100, 100));
    trace_record(&t, "{\"bwd_compilation_metrics\": {" AT(000500, 10) "}, " IN(0, 0, 0) "}");
    trace_record(&t, "{\"bwd_compilation_metrics\": {" AT(000600, 20) "}, " IN(0, 0, 0) "}");
    trace_record(&t, "{\"compilation_metrics_runtime\": {" AT(000700, 40) "}, " IN(0, 0, 0) "}");
    trace_record(&t, "{\"bwd_compilation_metrics\": {" AT(000800, 80) "}}"); /* without an id (2.4) */
    a = answers_of_trace(&t);
    assert_int_equal(a->timing.compile_wall_us, 210);
    answers_free(a);
}

/* The outermost events begin before and end after what the metrics measure, and are all there is of some compiles. */
static void outermost_events(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 100);
    trace_metrics(&t, IN(0, 0, 0), AT(000110, 80));
    trace_event(&t, IN(0, 0, 0), "dynamo", 'E', 200);
    trace_event(&t, IN(0, 0, 0), "entire_backward_compile", 'B', 1000);
    trace_event(&t, IN(0, 0, 0), "entire_backward_compile", 'E', 1300);
    trace_event(&t, IN(0, 0, 0), "gc", 'B', 2000); /* inside of no compile */
    trace_event(&t, IN(0, 0, 0), "gc", 'E', 2300);
    trace_event(&t, "", "dynamo", 'B', 3000); /* of no compile */
    trace_event(&t, "", "dynamo", 'E', 3300);
    a = answers_of_trace(&t);
    assert_in_range(a->timing.compile_wall_us, 400, 402); /* events have halves of a microsecond */
    assert_true(a->timing.has_events);
    answers_free(a);
}

/* Ranks compile at the same time: all of them together took no longer than the slowest. */
static void several_processes(void **state)
{
    struct run *r = run_new();
    const struct answers *a;

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        static const char *const metrics[] = {AT(000100, 100), AT(000150, 100), AT(000900, 10)};
        static const char *const names[] = {"rank_0.log", "rank_1.log", "rank_2.log"};
        struct trace_text t = {.pid = 10 + i};

        trace_event(&t, trace_ids(0, 0, 0), "gc", 'B', 0);
        trace_event(&t, trace_ids(0, 0, 0), "gc", 'E', 1000);
        trace_metrics(&t, trace_ids(0, 0, 0), metrics[i]);
        trace_add(r, names[i], &t);
    }
    run_finish(r);
    a = answers_of(r);
    assert_int_equal(a->timing.process_wall_us[0], 100);
    assert_int_equal(a->timing.process_wall_us[1], 100);
    assert_int_equal(a->timing.process_wall_us[2], 10);
    assert_int_equal(a->timing.compile_wall_us, 160);
    assert_str(timing_of(a), "gc 1 1000/1000, gc 1 1000/1000, gc 1 1000/1000");
    assert_int_equal(a->timing.phase_self_ns[PHASE_OTHER], 3000000);
    answers_free(a);
}

/* Without metrics and events, the times of a compile's records are the best there is; without these nothing is known.
 */
static void times_of_records(void **state)
{
    struct trace_text t = {.ms = 5};
    const struct answers *a;
    struct run *r = run_new();

    (void)state;
    trace_file(&t);
    trace_start(&t, IN(0, 0, 0), "f", 5);
    t.ms = 26;
    trace_artifact(&t, "dynamo_output_graph", IN(0, 0, 0), "graph");
    a = answers_of_trace(&t);
    assert_int_equal(a->timing.compile_wall_us, 20000);
    answers_free(a);

    run_finish(r);
    a = answers_of(r);
    assert_int_equal(a->timing.compile_wall_us, -1);
    answers_free(a);
}

/* Forged times: sums stay in range. */
static void forged_times(void **state)
{
    struct run *r = run_new();
    struct input *in = run_add_input(r, STR("a"));
    struct process p = {.input = in, .run = r};
    struct compile none = {.process = &p};
    struct timing timing;

    (void)state;
    p.unattributed = &none;
    vec_push(r->arena, &r->processes, &p);
    for (int64_t i = 0; i < 3; i++)
        vec_push(r->arena, &p.events,
                 ((struct event){.name = STR("gc"), .start_ns = i * (int64_t)3e18, .duration_ns = (int64_t)3e18}));
    timing_find(r->arena, r, &timing);
    assert_int_equal(timing.phase_self_ns[PHASE_OTHER], 100 * 86400 * 1000000000ll);
    assert_int_equal(timing.events.v[0]->wall_ns, (int64_t)9e18);
    assert_int_equal(timing.compile_wall_us, -1);
    run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wall_and_self_times),
        cmocka_unit_test(self_times_add_up),
        cmocka_unit_test(phases_of_events),
        cmocka_unit_test(the_wall_time_of_compiles),
        cmocka_unit_test(backward_and_runtime_metrics),
        cmocka_unit_test(outermost_events),
        cmocka_unit_test(several_processes),
        cmocka_unit_test(times_of_records),
        cmocka_unit_test(forged_times),
    };

    return RUN(tests);
}
