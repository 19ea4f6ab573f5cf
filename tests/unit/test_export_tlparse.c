/* The file that each kind of record becomes in tlparse's directory. */
#include "view_text.h"

#include "output/export/export.h"

/* "a b": the addresses in compile_directory.json, each of a file that is there. */
static struct str urls_in(struct arena *a, const char *dir)
{
    json_t *root = json_load_file(arena_printf(a, "%s/compile_directory.json", dir).p, 0, NULL), *entry, *file;
    struct str out = {"", 0};
    const char *key;
    size_t i;

    assert_non_null(root);
    json_object_foreach(root, key, entry)
    {
        json_array_foreach(json_object_get(entry, "artifacts"), i, file)
        {
            const char *url = json_string_value(json_object_get(file, "url"));

            assert_true(temp_exists(arena_printf(a, "%s/%s", dir, url).p));
            out = arena_printf(a, "%.*s%s%s", STR_ARG(out), out.n ? " " : "", url);
        }
    }
    json_decref(root);
    return out;
}

static void files_of_records(void **state)
{
    static const struct {
        const char *record, *urls;
    } cases[] = {
        {"\"artifact\": {\"name\": \"notes\", \"encoding\": \"string\"}", "-_0_0_0/notes_0.txt"},
        {"\"artifact\": {\"name\": \"notes\", \"encoding\": \"json\"}", "-_0_0_0/notes_0.json"},
        {"\"artifact\": {\"name\": \"notes\", \"encoding\": \"other\"}", ""},
        {"\"artifact\": {\"name\": \"notes\"}", ""},
        {"\"graph_dump\": {\"name\": \"late\"}", "-_0_0_0/late_0.txt"},
        {"\"optimize_ddp_split_graph\": {}", "-_0_0_0/optimize_ddp_split_graph_0.txt"},
        {"\"optimize_ddp_split_child\": {\"name\": \"submod_1\"}", "-_0_0_0/optimize_ddp_split_child_submod_1_0.txt"},
        {"\"inductor_output_code\": {\"filename\": \"/srv/c/cab.py\"}", "-_0_0_0/inductor_output_code_cab_0.txt"},
        {"\"inductor_output_code\": {\"filename\": \"cab\"}", "-_0_0_0/inductor_output_code_cab_0.txt"},
        {"\"inductor_output_code\": {}", "-_0_0_0/inductor_output_code_0.txt"},
        {"\"dump_file\": {\"name\": \"<eval_with_key>.5\"}", "dump_file/eval_with_key_5.txt"},
        {"\"dump_file\": {\"name\": \"shop\"}", "dump_file/shop.txt"},
        {"\"dynamo_guards\": {}", "-_0_0_0/dynamo_guards_0.json"},
        {"\"aot_joint_graph\": {}", "-_0_0_0/aot_joint_graph_0.txt"},
        {"\"compilation_metrics\": {}", "-_0_0_0/compilation_metrics_0.json"},
        {"\"unknown\": {}", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct trace_text t = {0};
        char json[200], name[20];
        struct str error;
        const char *dir;
        struct view v;
        struct run *r;

        snprintf(json, sizeof json, "{%s, " IN(0, 0, 0) "}", cases[i].record);
        snprintf(name, sizeof name, "out-%zu", i);
        dir = temp_path(name);
        trace_payload(&t, json, "{}");
        r = trace_run(&t);
        v = (struct view){.run = r, .scratch = r->arena};
        assert_int_equal(export_tlparse_to(dir, &v, &error), 0);
        assert_str(urls_in(r->arena, dir), cases[i].urls);
        run_free(r);
    }
}

/* Long values of a record are only parsed for those who ask: a file has all of them. */
static void long_values(void **state)
{
    struct trace_text t = {0};
    char words[3000], json[3200];
    struct str error;
    const char *dir = temp_path("long");
    struct run *r;
    json_t *o;

    (void)state;
    memset(words, 'q', sizeof words - 1);
    words[sizeof words - 1] = '\0';
    snprintf(json, sizeof json, "{\"compilation_metrics\": {\"co_name\": \"%s\"}, " IN(0, 0, 0) "}", words);
    trace_payload(&t, json, "{}");
    r = trace_run(&t);
    assert_int_equal(export_tlparse_to(dir, &(struct view){.run = r, .scratch = r->arena}, &error), 0);
    o = json_load_file(arena_printf(r->arena, "%s/-_0_0_0/compilation_metrics_0.json", dir).p, 0, NULL);
    assert_str(json_str(json_object_get(o, "co_name")), words);
    json_decref(o);
    run_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_records),
        cmocka_unit_test(long_values),
    };

    return RUN(tests);
}
