#include "answers_text.h"

#include "analysis/code/kernels.h"
#include "input/report_files.h"
#include "output/report/report.h"
#include "util/formats/json.h"

#include <errno.h>

static const char *const command[] = {"pt2trace", "/tmp/trace"};

static int report(const struct answers *a, const char *dir, uint64_t max_bytes, enum artifacts_wanted artifacts,
                  unsigned threads, struct report_result *result)
{
    struct kernel_store kernels = {0};
    struct report_options options = {.dir = dir,
                                     .replace = true,
                                     .artifacts = artifacts,
                                     .kernels = &kernels,
                                     .html = {.max_bytes = max_bytes, .about = {.command = command, .command_n = 2}}};
    struct pool *pool = pool_new(threads);
    int rc = report_write(a->run->arena, a, &options, pool, result);

    kernel_store_free(&kernels, pool);
    pool_free(pool);
    return rc;
}

static struct str file_of(const struct answers *a, const char *dir, const char *name)
{
    return temp_read(a->run->arena, arena_printf(a->run->arena, "%s/%s", dir, name).p);
}

/* Forty compiles with a payload of some 20 kB that does not compress well. */
static const struct answers *a_large_trace(void)
{
    struct trace_text t = {0};
    uint64_t seed = 7;

    trace_file(&t);
    for (int i = 0; i < 40; i++) {
        struct buf text = {0};

        while (text.n < 20000)
            buf_printf(&text, "%llx\n", (unsigned long long)test_random(&seed));
        buf_char(&text, '\0');
        trace_start(&t, trace_ids(i, 0, 0), "f", 5);
        trace_artifact(&t, "inductor_output_code", trace_ids(i, 0, 0), text.p);
        trace_metrics(&t, trace_ids(i, 0, 0), "\"graph_op_count\": 2");
        buf_free(&text);
    }
    return answers_of_trace(&t);
}

static void all_of_it(void **state)
{
    const struct answers *a = a_large_trace();
    const char *dir = temp_path("all");
    struct report_result result;
    struct str html, json;
    json_t *o;

    (void)state;
    assert_int_equal(report(a, dir, 25000000, ARTIFACTS_NONE, 2, &result), 0);
    assert_int_equal(result.inlined, 40);
    assert_int_equal(result.left_out, 0);
    html = file_of(a, dir, "index.html");
    assert_int_equal(html.n, result.html_bytes);
    assert_true(str_starts(html, STR("<!doctype html>")) && str_has(html, STR("</html>")));
    json = file_of(a, dir, "report.json");
    o = json_loadb(json.p, json.n, 0, NULL);
    assert_str(json_str(json_object_get(o, "schema")), "pt2trace-report");
    assert_int_equal(json_array_size(json_object_get(o, "compiles")), 40);
    json_decref(o);
    assert_false(temp_exists(arena_printf(a->run->arena, "%s/artifacts", dir).p));
    answers_free(a);
}

/* The page keeps its size; what stays out of it is counted, and is written as files where that was asked for. */
static void a_small_page(void **state)
{
    static const uint64_t sizes[] = {1, 200000, 600000, 800000, 1000000, 1300000};
    const struct answers *a = a_large_trace();
    size_t before = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const char *dir = temp_path(arena_printf(a->run->arena, "small%zu", i).p);
        struct report_result result;
        size_t files = 0;

        assert_int_equal(report(a, dir, sizes[i], ARTIFACTS_OVERFLOW, 2, &result), 0);
        assert_int_equal(result.inlined + result.left_out, 40);
        assert_true(result.inlined >= before);
        if (sizes[i] >= 600000)
            assert_true(result.html_bytes <= sizes[i]);
        for (int k = 0; k < 40; k++)
            files += temp_exists(arena_printf(a->run->arena, "%s/artifacts/%d_0/inductor_output_code.py", dir, k).p);
        assert_int_equal(files, result.left_out);
        before = result.inlined;
    }
    assert_int_equal(before, 40);
    answers_free(a);
}

/* Not a byte depends on the number of threads. */
static void any_number_of_threads(void **state)
{
    const struct answers *a = a_large_trace();
    const char *dirs[2] = {temp_path("threads1"), temp_path("threads5")};
    struct report_result result[2];

    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(report(a, dirs[i], 600000, ARTIFACTS_NONE, i ? 5 : 1, &result[i]), 0);
    assert_true(str_eq(file_of(a, dirs[0], "index.html"), file_of(a, dirs[1], "index.html")));
    assert_true(str_eq(file_of(a, dirs[0], "report.json"), file_of(a, dirs[1], "report.json")));
    answers_free(a);
}

/* The trace was cut off after it was read: what is not there any more is named by file and line, in both outputs. */
static void lost_payloads(void **state)
{
    const struct answers *a = a_large_trace();
    const char *dir = temp_path("lost");
    struct report_result result;
    struct str json;
    json_t *o, *messages, *m;

    (void)state;
    assert_int_equal(truncate(temp_path("trace.log"), 100000), 0);
    assert_int_equal(report(a, dir, 25000000, ARTIFACTS_OVERFLOW, 2, &result), 0);
    assert_true(result.inlined > 2 && result.inlined < 8);
    json = file_of(a, dir, "report.json");
    o = json_loadb(json.p, json.n, 0, NULL);
    messages = json_object_get(o, "messages");
    m = json_array_get(messages, 0);
    assert_string_equal(json_string_value(json_object_get(m, "code")), "payload-lost");
    assert_string_equal(json_string_value(json_object_get(m, "file")), temp_path("trace.log"));
    assert_true(json_integer_value(json_object_get(m, "line")) > 2 + 3 * (int)result.inlined);
    assert_string_equal(json_string_value(json_object_get(m, "text")), "inductor_output_code");
    assert_true(str_has(file_of(a, dir, "index.html"), STR("payload-lost")));
    json_decref(o);
    answers_free(a);
}

/* A report of ours is replaced as a whole: files that the new one does not have are gone, others stay. */
static void over_an_older_report(void **state)
{
    const struct answers *a = a_large_trace();
    const char *dir = temp_path("again");
    struct report_result result;
    struct arena *s = a->run->arena;
    FILE *mine;

    (void)state;
    assert_int_equal(report(a, dir, 25000000, ARTIFACTS_ALL, 2, &result), 0);
    assert_true(temp_exists(arena_printf(s, "%s/artifacts/7_0/inductor_output_code.py", dir).p));
    mine = fopen(arena_printf(s, "%s/artifacts/7_0/notes", dir).p, "w");
    fclose(mine);
    assert_int_equal(report(a, dir, 25000000, ARTIFACTS_NONE, 2, &result), 0);
    assert_false(temp_exists(arena_printf(s, "%s/artifacts/7_0/inductor_output_code.py", dir).p));
    assert_false(temp_exists(arena_printf(s, "%s/artifacts/6_0", dir).p));
    assert_true(temp_exists(arena_printf(s, "%s/artifacts/7_0/notes", dir).p));
    assert_true(temp_exists(arena_printf(s, "%s/index.html", dir).p));
    answers_free(a);
}

/* What it failed at has a name. */
static void errors(void **state)
{
    const struct answers *a = a_large_trace();
    struct arena *s = a->run->arena;
    struct report_result result;
    const char *dir = temp_write("a_file", STR("text"));

    (void)state;
    assert_int_equal(report(a, dir, 25000000, ARTIFACTS_NONE, 2, &result), -ENOTDIR);
    assert_str(result.failed, dir);
    dir = temp_path("taken");
    assert_int_equal(mkdir(dir, 0755), 0);
    assert_int_equal(mkdir(arena_printf(s, "%s/index.html", dir).p, 0755), 0);
    assert_int_equal(report(a, dir, 25000000, ARTIFACTS_NONE, 2, &result), -ENOTEMPTY);
    assert_str(result.failed, dir);
    temp_write("taken/" REPORT_MARKER, STR(REPORT_MARKER_HEAD));
    assert_int_equal(report(a, dir, 25000000, ARTIFACTS_NONE, 2, &result), -EEXIST);
    assert_same(result.failed, arena_printf(s, "%s/index.html", dir));
    answers_free(a);
}

/* From the beginning of a section of the page to the next one. */
static struct str section_of(struct str html, const char *name)
{
    char begins[40];
    struct str rest;
    int64_t end;

    snprintf(begins, sizeof begins, "<section id=\"%s\">", name);
    rest = str_skip(html, (size_t)str_find(html, str_of(begins)));
    end = str_find(str_skip(rest, 1), STR("<section id="));
    return end < 0 ? rest : str_take(rest, (size_t)end + 1);
}

/* A section has its share of the page, whatever those before it took of theirs. */
static void shares_of_sections(void **state)
{
    static const char *const sections[] = {"findings", "breaks", "recompiles", "errors"}; /* in their order */
    enum { FUNCTIONS = 175, SHARE = 256 * 1024 };
    struct report_result result;
    struct trace_text t = {0};
    const struct answers *a;
    struct str html;

    (void)state;
    trace_file(&t);
    for (int i = 0; i < FUNCTIONS; i++) {
        trace_start(&t, trace_ids(i, 0, 0), "f", 5 + 10 * i);
        trace_break(&t, trace_ids(i, 0, 0), "Call to `print`", "f", 7 + 10 * i);
        trace_metrics(&t, trace_ids(i, 0, 0), "\"graph_op_count\": 2");
        trace_start(&t, trace_ids(i, 1, 0), "f", 5 + 10 * i);
        trace_artifact(&t, "recompile_reasons", trace_ids(i, 1, 0), "[\"0/0: n == 7\"]");
        trace_error(&t, trace_ids(i, 1, 0), "ValueError", "no", 8 + 10 * i);
        trace_metrics(&t, trace_ids(i, 1, 0), "\"fail_type\": \"ValueError\"");
    }
    a = answers_of_trace(&t);
    assert_int_equal(report(a, temp_path("shares"), 4000000, ARTIFACTS_NONE, 2, &result), 0);
    html = file_of(a, temp_path("shares"), "index.html");
    for (size_t i = 0; i < COUNT(sections); i++) {
        struct str section = section_of(html, sections[i]);

        assert_true(section.n > SHARE / 2 && section.n < SHARE);
        assert_false(str_has(section, STR(" more are in report.json")));
    }
    answers_free(a);
}

static void of_nothing(void **state)
{
    struct run *r = run_new();
    struct report_result result;
    const struct answers *a;

    (void)state;
    run_finish(r);
    a = answers_of(r);
    assert_int_equal(report(a, temp_path("nothing"), 25000000, ARTIFACTS_ALL, 1, &result), 0);
    assert_int_equal(result.inlined + result.left_out, 0);
    assert_true(result.html_bytes > 0);
    answers_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_it), cmocka_unit_test(a_small_page),         cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(errors),    cmocka_unit_test(over_an_older_report), cmocka_unit_test(of_nothing),
        cmocka_unit_test(lost_payloads), cmocka_unit_test(shares_of_sections),
    };

    return RUN(tests);
}
