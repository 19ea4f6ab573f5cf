/* How long compiling took, and which phase, by the table of compile_times(). */
#include "unit.h"

#include "analysis/time/printed_times.h"

enum { ROWS = 12, TIMES = 3 };

/* Times in milliseconds; a name ends the list. */
struct table {
    const char *what;
    struct {
        const char *name;
        int64_t ms[TIMES];
    } rows[ROWS];
    int64_t total; /* in milliseconds, as all of these; -1 unknown */
    int64_t dynamo, aot, inductor, compiler, cache;
};

static const struct table tables[] = {
    {"nothing was printed", {{0}}, -1, 0, 0, 0, 0, 0},
    {"calls that others are inside of",
     {{"_compile.compile_inner", {3643, 4584}}, {"bytecode_tracing", {73, 73}},
      {"OutputGraph.call_user_compiler", {3524, 4476}}, {"create_aot_dispatcher_function", {3117, 4471}},
      {"compile_fx.<locals>.fw_compiler_base", {2477, 1505}}, {"compile_fx_inner", {3644, 3842}},
      {"PyCodeCache.load_by_key_path", {3957}}, {"compile_file", {3744}}, {"async_compile.wait", {3649}},
      {"backward._backward_impl", {1179}}, {"compile_fx.<locals>.bw_compiler", {1167, 2337}}},
     9406, 227, 1281, 3529, 3957, 0},
    {"up to 2.5, a backward graph that was compiled later does not fit into AOTAutograd's call",
     {{"_compile.compile_inner", {9897, 6096}}, {"create_aot_dispatcher_function", {9752, 6026}},
      {"compile_fx.<locals>.fw_compiler_base", {7612, 2404}}, {"compile_fx_inner", {9893, 5123}},
      {"compile_file", {8320}}, {"compile_fx.<locals>.bw_compiler", {2281, 2719}}},
     18274, 215, 3043, 6696, 8320, 0},
    {"sums alone: all backward graphs fit",
     {{"_compile.compile_inner", {1000}}, {"create_aot_dispatcher_function", {900}},
      {"compile_fx.<locals>.fw_compiler_base", {400}}, {"compile_fx.<locals>.bw_compiler", {300}}},
     1000, 100, 200, 700, 0, 0},
    {"sums alone: they do not",
     {{"_compile.compile_inner", {1000}}, {"create_aot_dispatcher_function", {900}},
      {"compile_fx.<locals>.fw_compiler_base", {800}}, {"compile_fx.<locals>.bw_compiler", {300}}},
     1300, 100, 100, 1100, 0, 0},
    {"the backend was not AOTAutograd's",
     {{"_compile", {100}}, {"OutputGraph.call_user_compiler", {30}}},
     100, 70, 0, 0, 0, 0},
    {"the names of metrics",
     {{"entire_frame_compile", {500}}, {"backend_compile", {400}}, {"inductor_compile", {300}}, {"code_gen", {200}}},
     500, 100, 0, 300, 0, 0},
    {"what a cache had was not compiled",
     {{"_compile.compile_inner", {1620}}, {"OutputGraph.call_user_compiler", {1481}},
      {"AOTAutogradCache.inductor_load", {1311}}, {"PyCodeCache.load_by_key_path", {1299}}},
     1620, 139, 0, 0, 0, 1311},
    {"a benchmark's total counts where no call does", {{"dynamo_timed", {700}}}, 700, 0, 0, 0, 0, 0},
    {"but not beside one", {{"dynamo_timed", {700}}, {"_compile", {100}}}, 100, 0, 0, 0, 0, 0},
    {"2.0 compiles the backward when it is called",
     {{"_compile", {360}}, {"OutputGraph.call_user_compiler", {290}}, {"create_aot_dispatcher_function", {280}},
      {"compile_fx.<locals>.fw_compiler", {120}}, {"GraphLowering.run", {40}},
      {"GraphLowering.compile_to_module", {140}}, {"Scheduler.__init__", {60}}, {"WrapperCodeGen.generate", {30}},
      {"CachingAutotuner.autotune_to_one_config", {90}}, {"compile_fx.<locals>.bw_compiler", {70}}},
     430, 70, 160, 190, 0, 0},
    {"steps of Inductor alone",
     {{"_compile", {100}}, {"create_aot_dispatcher_function", {90}}, {"GraphLowering.run", {20}},
      {"GraphLowering.compile_to_module", {50}}},
     100, 10, 20, 70, 0, 0},
    {"rows that do not fit into one another", {{"_compile", {100}}, {"compile_fx_inner", {900}}}, 100, 0, 0, 0, 0, 0},
};

static void put_rows(struct arena *a, const struct table *t, struct process *p)
{
    for (size_t i = 0; i < ROWS && t->rows[i].name; i++) {
        struct call_times *row = vec_add(a, &p->times);

        row->name = str_of(t->rows[i].name);
        for (size_t k = 0; k < TIMES && t->rows[i].ms[k]; k++)
            vec_push(a, &row->each_ns, t->rows[i].ms[k] * 1000000);
    }
}

static void adds_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(tables); i++) {
        const struct table *t = &tables[i];
        struct arena *a = arena_new();
        struct process p = {0};
        struct printed_times out;

        put_rows(a, t, &p);
        printed_times_find(&p, &out);
        print_message("# %s\n", t->what);
        assert_int_equal(out.total_ns, t->total < 0 ? -1 : t->total * 1000000);
        assert_int_equal(out.phase_ns[PHASE_DYNAMO] / 1000000, t->dynamo);
        assert_int_equal(out.phase_ns[PHASE_AOT] / 1000000, t->aot);
        assert_int_equal(out.phase_ns[PHASE_INDUCTOR] / 1000000, t->inductor);
        assert_int_equal(out.phase_ns[PHASE_COMPILER] / 1000000, t->compiler);
        assert_int_equal(out.phase_ns[PHASE_CACHE] / 1000000, t->cache);
        arena_free(a);
    }
}

/* Whatever a table has: what is said of its phases is no more than the whole. */
static void parts_are_no_more_than_the_whole(void **state)
{
    static const char *const names[] = {
        "_compile", "_compile.compile_inner", "entire_frame_compile", "OutputGraph.call_user_compiler",
        "backend_compile", "create_aot_dispatcher_function", "compile_fx_inner", "fx_codegen_and_compile",
        "inductor_compile", "PyCodeCache.load_by_key_path", "async_compile.wait", "compile_file",
        "compile_fx.<locals>.fw_compiler_base", "compile_fx.<locals>.fw_compiler", "compile_fx.<locals>.bw_compiler",
        "backward._backward_impl", "entire_backward_compile", "GraphLowering.run", "GraphLowering.compile_to_module",
        "code_gen", "build_guards", "_recursive_joint_graph_passes", "_recursive_post_grad_passes",
        "Scheduler.__init__", "WrapperCodeGen.generate", "CachingAutotuner.benchmark_all_configs",
        "FxGraphCache.load", "mm_template_autotuning", "dynamo_timed", "AOTAutogradCache.inductor_load",
    };
    uint32_t random = 1;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        struct arena *a = arena_new();
        struct process p = {0};
        struct printed_times out;
        int64_t sum = 0;

        for (size_t i = 0; i < COUNT(names); i++) {
            struct call_times *row;

            random = random * 1664525u + 1013904223u;
            if (random >> 24 > 100)
                continue;
            row = vec_add(a, &p.times);
            row->name = str_of(names[i]);
            for (uint32_t k = 0; k <= (random >> 16) % 3; k++)
                vec_push(a, &row->each_ns, (int64_t)((random >> (8 + k)) % 1000000));
        }
        printed_times_find(&p, &out);
        for (int i = 0; i < PHASE_COUNT; i++) {
            assert_true(out.phase_ns[i] >= 0);
            sum += i == PHASE_BACKEND || i == PHASE_OTHER ? 0 : out.phase_ns[i];
        }
        assert_true(sum <= (out.total_ns < 0 ? 0 : out.total_ns));
        arena_free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(adds_up), cmocka_unit_test(parts_are_no_more_than_the_whole)};

    return RUN(tests);
}
