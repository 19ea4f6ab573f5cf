#include "view_text.h"

#include "output/files/artifact_files.h"

#include <dirent.h>

/* Where all payloads are as if they were in the page, or none. */
static struct placements make_placements(const struct run *r, enum stored stored)
{
    struct placements p = {.inputs = ARENA_ARRAY(r->arena, struct placement *, r->inputs.n)};

    for (size_t i = 0; i < r->inputs.n; i++) {
        p.inputs[i] = ARENA_ARRAY(r->arena, struct placement, r->inputs.v[i]->artifacts.n);
        for (size_t k = 0; k < r->inputs.v[i]->artifacts.n; k++)
            p.inputs[i][k].stored = stored;
    }
    return p;
}

/* Writes the files below temp_path(dir). */
static void write_files(const struct answers *a, struct placements *placements, enum artifacts_wanted wanted,
                        const char *dir)
{
    struct arena *s = a->run->arena;
    struct view v = view_of(a);
    struct manifest m;
    struct str failed = {0};

    v.placements = placements;
    assert_int_equal(manifest_begin(&m, arena_str(s, str_of(temp_path(dir))).p, true, s), 0);
    assert_int_equal(artifact_files_write(&v, placements, wanted, s, &m, &failed), 0);
    assert_int_equal(failed.n, 0);
    assert_int_equal(manifest_finish(&m), 0);
}

/* "0/0 x=artifacts/0_0/x.txt | …": where the payloads of the run are; "-" for one without a file. */
static struct str files_of(const struct run *r, const struct placements *placements)
{
    struct str out = STR("");

    for (size_t i = 0; i < r->inputs.n; i++)
        for (size_t k = 0; k < r->inputs.v[i]->artifacts.n; k++) {
            const struct placement *p = &placements->inputs[i][k];

            out = arena_printf(r->arena, "%.*s%s%.*s", STR_ARG(out), out.n ? " | " : "",
                               STR_ARG(p->file.n ? p->file : STR("-")));
        }
    return out;
}

static struct str read_back(const struct run *r, const char *dir, const char *name)
{
    return temp_read(r->arena, arena_printf(r->arena, "%s/%s", temp_path(dir), name).p);
}

/* How many files (and directories) a directory holds. */
static size_t entries_of(const struct run *r, const char *dir, const char *name)
{
    DIR *d = opendir(arena_printf(r->arena, "%s/%s", temp_path(dir), name).p);
    size_t n = 0;

    if (!d)
        return 0;
    while (readdir(d))
        n++;
    closedir(d);
    return n - 2;
}

/* A directory per compile, the extension by what it is written in. */
static void names_of_files(void **state)
{
    struct trace_text t = {0};
    struct placements placements;
    const struct answers *a;

    (void)state;
    trace_payload(&t, "{\"dynamo_output_graph\": {}, " IN(0, 1, 0) "}", "graph\nof two lines");
    trace_artifact(&t, "fx_graph_cache_miss", IN(0, 1, 0), "{}");
    trace_artifact(&t, "unheard_of", IN(0, 1, 0), "text");
    trace_artifact(&t, "unheard_of", IN(0, 1, 0), "second");
    trace_payload(&t, "{\"graph_dump\": {\"name\": \"inductor_aot_wrapper_code\"}}", "int x;");
    trace_artifact(&t, "x", "\"compiled_autograd_id\": 2, " IN(0, 1, 0), "of autograd");
    trace_record(&t, "{\"artifact\": {\"name\": \"without_payload\"}, " IN(0, 1, 0) "}");
    a = answers_of_trace(&t);
    placements = make_placements(a->run, STORED_DROPPED);
    write_files(a, &placements, ARTIFACTS_ALL, "names");
    assert_str(files_of(a->run, &placements),
               "artifacts/0_1/dynamo_output_graph.py | artifacts/0_1/fx_graph_cache_miss.json | "
               "artifacts/0_1/unheard_of.txt | artifacts/0_1/unheard_of-2.txt | "
               "artifacts/none/inductor_aot_wrapper_code.cpp | artifacts/a2_0_1/x.txt | -");
    assert_same(read_back(a->run, "names", "artifacts/0_1/dynamo_output_graph.py"), STR("graph\nof two lines"));
    assert_same(read_back(a->run, "names", "artifacts/0_1/unheard_of-2.txt"), STR("second"));
    assert_int_equal(entries_of(a->run, "names", "artifacts/0_1"), 4);
    assert_int_equal(placements.inputs[0][0].stored, STORED_FILE);
    assert_int_equal(placements.inputs[0][6].stored, STORED_DROPPED);
    answers_free(a);
}

/* Names come from the trace: none leads out of the directory, hides a file or replaces another one. */
static void hostile_names(void **state)
{
    struct trace_text t = {0};
    struct placements placements;
    const struct answers *a;
    char longest[300];

    (void)state;
    memset(longest, 'n', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    trace_artifact(&t, "../../etc/passwd", IN(0, 0, 0), "1");
    trace_artifact(&t, "/absolute", IN(0, 0, 0), "2");
    trace_artifact(&t, ".hidden", IN(0, 0, 0), "3");
    trace_artifact(&t, "..", IN(0, 0, 0), "4");
    trace_artifact(&t, "a b\\u0000c\\n\\u00e9", IN(0, 0, 0), "5");
    trace_artifact(&t, longest, IN(0, 0, 0), "6");
    trace_artifact(&t, longest, IN(0, 0, 0), "7");
    trace_artifact(&t, "x-2", IN(0, 0, 0), "8");
    trace_artifact(&t, "x", IN(0, 0, 0), "9");
    trace_artifact(&t, "x", IN(0, 0, 0), "10"); /* would be x-2, too */
    trace_artifact(&t, "x-2", IN(0, 0, 0), "11");
    trace_artifact(&t, "a/b", IN(0, 0, 0), "12");
    trace_artifact(&t, "a_b", IN(0, 0, 0), "13");
    a = answers_of_trace(&t);
    placements = make_placements(a->run, STORED_DROPPED);
    write_files(a, &placements, ARTIFACTS_ALL, "hostile");
    for (size_t i = 0; i < 13; i++) {
        struct str file = placements.inputs[0][i].file, rest = file;

        assert_true(str_consume(&rest, STR("artifacts/0_0/")));
        assert_true(rest.n > 0 && rest.n < 100 && rest.p[0] != '.' && str_chr(rest, '/') < 0);
        assert_same(read_back(a->run, "hostile", file.p), trace_text_of(a->run, a->run->inputs.v[0]->artifacts.v[i]));
    }
    assert_int_equal(entries_of(a->run, "hostile", "artifacts/0_0"), 13);
    assert_int_equal(entries_of(a->run, "hostile", ""), 2); /* artifacts and the marker */
    answers_free(a);
}

/* Overflow: what is in the page is in no file. All: it is in both. */
static void what_is_wanted(void **state)
{
    struct trace_text t = {0};
    const struct answers *a;

    (void)state;
    trace_artifact(&t, "x", IN(0, 0, 0), "1");
    trace_artifact(&t, "y", IN(0, 0, 0), "2");
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 1);
    trace_event(&t, IN(0, 0, 0), "dynamo", 'E', 2);
    a = answers_of_trace(&t);
    for (int wanted = ARTIFACTS_NONE; wanted <= ARTIFACTS_ALL; wanted++) {
        static const char *const files[] = {"- | -", "- | artifacts/0_0/y.txt",
                                            "artifacts/0_0/x.txt | artifacts/0_0/y.txt"};
        static const char *const dirs[] = {"none", "overflow", "all"};
        struct placements placements = make_placements(a->run, STORED_DROPPED);

        placements.inputs[0][0].stored = STORED_INLINE;
        write_files(a, &placements, wanted, dirs[wanted]);
        assert_str(files_of(a->run, &placements), files[wanted]);
        assert_int_equal(placements.inputs[0][0].stored, STORED_INLINE);
        assert_int_equal(placements.inputs[0][1].stored, wanted ? STORED_FILE : STORED_DROPPED);
        assert_int_equal(entries_of(a->run, dirs[wanted], "artifacts"), wanted == ARTIFACTS_ALL ? 2 : wanted);
    }
    answers_free(a);
}

/* The timeline of each process is one JSON array. */
static void timelines(void **state)
{
    struct trace_text t = {0};
    struct placements placements;
    const struct answers *a;

    (void)state;
    for (int i = 0; i < 3; i++) {
        t.pid = 10 + (unsigned)i;
        trace_metrics(&t, IN(0, 0, 0), "\"graph_op_count\": 2");
        if (i == 1) /* no events: no file */
            continue;
        trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 1);
        trace_event(&t, IN(0, 0, 0), "hit", 'i', 2);
        trace_event(&t, IN(0, 0, 0), "dynamo", 'E', 3);
        trace_event(&t, IN(0, 0, 0), "lost", 'E', 4);
        trace_event(&t, IN(0, 0, 0), "cut", 'B', 5);
    }
    a = answers_of_trace(&t);
    placements = make_placements(a->run, STORED_DROPPED);
    write_files(a, &placements, ARTIFACTS_ALL, "timelines");
    assert_int_equal(entries_of(a->run, "timelines", "artifacts"), 2);
    for (int i = 0; i < 2; i++) {
        struct str text =
            read_back(a->run, "timelines", i ? "artifacts/chromium_events-p2.json" : "artifacts/chromium_events.json");
        json_t *list = json_loadb(text.p, text.n, 0, NULL);

        assert_int_equal(json_array_size(list), 5);
        assert_str(json_str(json_object_get(json_array_get(list, 0), "name")), "dynamo");
        json_decref(list);
    }
    answers_free(a);
}

/* A payload that cannot be read back has no file, and the others have theirs. */
static void a_trace_that_shrank(void **state)
{
    struct trace_text t = {0};
    struct placements placements;
    const struct answers *a;

    (void)state;
    trace_artifact(&t, "x", IN(0, 0, 0), "1");
    trace_artifact(&t, "y", IN(0, 0, 0), "a longer text that is not there any more");
    a = answers_of_trace(&t);
    placements = make_placements(a->run, STORED_DROPPED);
    assert_int_equal(truncate(temp_path("trace.log"), (off_t)a->run->inputs.v[0]->source.bytes - 20), 0);
    write_files(a, &placements, ARTIFACTS_ALL, "shrunk");
    assert_str(files_of(a->run, &placements), "artifacts/0_0/x.txt | -");
    assert_int_equal(entries_of(a->run, "shrunk", "artifacts/0_0"), 1);
    assert_int_equal(placements.inputs[0][1].stored, STORED_DROPPED);
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_files), cmocka_unit_test(hostile_names),       cmocka_unit_test(what_is_wanted),
        cmocka_unit_test(timelines),      cmocka_unit_test(a_trace_that_shrank),
    };

    return RUN(tests);
}
