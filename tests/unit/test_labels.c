/* Names of the user's own for artifacts and frames: the file, what it is refused for, and what becomes of a run. */
#include "view_text.h"

#include "model/merge/labels.h"
#include "util/formats/yaml.h"
#include "view/format.h"

/* "2: what is wrong"; empty when the labels are good. */
static struct str error_of(struct arena *a, const char *text)
{
    struct labels labels;
    struct labels_error error;

    if (labels_parse(a, str_of(text), &labels, &error))
        return STR("");
    return arena_printf(a, "%llu: %.*s", (unsigned long long)error.line, STR_ARG(error.text));
}

static void refused(void **state)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", ""},
        {"# nothing\n", ""},
        {"artifacts: []\nframes: []\n", ""},
        {"- x\n", "1: the file must be a map with artifacts and frames"},
        {"artefacts: []\n", "1: unknown key `artefacts`; there are artifacts, frames"},
        {"\nframes: 7\n", "2: `frames` must be a list of rules"},
        {"artifacts:\n  - x\n", "2: a rule must be a map of keys and texts"},
        {"artifacts:\n  - name: x\n    titel: y\n", "3: unknown key `titel`; there are name, title, group, language"},
        {"artifacts:\n  - title: y\n", "2: `name` is missing: which artifacts the rule is for"},
        {"artifacts:\n  - {name: x, language: perl}\n",
         "2: `language` must be one of text, fx, python, cpp, json, bytecode"},
        {"artifacts:\n  - name: [x]\n", "2: `name` must be a text"},
        {"frames:\n  - label: x\n", "2: `function` or `file` is missing: which frames the rule is for"},
        {"frames:\n  - {function: f, line: 3}\n", "2: unknown key `line`; there are function, file, label, group"},
        {"artifacts:\n- &a {name: x}\n- *a\n", "3: anchors (&x, *x) are not read"},
        {"artifacts: [\n", "2: not YAML: did not find expected node content"},
        {"frames: []\n---\nframes: []\n", "2: a second document"},
        {"? [x]\n: 1\n", "1: a key is not a text"},
        {"artifacts: [[[[[[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]]]]]\n", "1: too deep"},
        {"artifacts: \xff\n", "0: not YAML: invalid leading UTF-8 octet"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str error = error_of(a, cases[i].text);

        if (str_of(cases[i].error).n && cases[i].error[0] == '0') /* libyaml counts no lines here */
            assert_true(str_ends(error, str_skip(str_of(cases[i].error), 1)));
        else
            assert_str(error, cases[i].error);
    }
    arena_free(a);
}

static const char rules[] = "artifacts:\n"
                            "  - {name: dynamo_output_graph, title: The graph}\n"
                            "  - {name: my_*_report, title: Report, group: Mine, language: json}\n"
                            "  - {name: '*', group: Kernels}\n"
                            "frames:\n"
                            "  - {function: f, file: '*/other.py', label: not this}\n"
                            "  - {file: '*.py', label: block, group: Model}\n"
                            "  - {function: f, label: never reached}\n";

/* "dynamo_output_graph: The graph, Dynamo, fx": what artifacts are. */
static struct str artifacts_of(struct arena *a, const struct compile *c)
{
    struct str out = STR("");

    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact_info *info = c->artifacts.v[i]->info;

        out = arena_printf(a, "%.*s%s%.*s: %s, %s, %s", STR_ARG(out), i ? "; " : "", STR_ARG(c->artifacts.v[i]->name),
                           info->title ? info->title : "-", info->group ? info->group : stage_title(info->stage),
                           language_name(info->language));
    }
    return out;
}

static void applied(void **state)
{
    struct trace_text t = {0};
    struct arena *a = arena_new();
    struct labels labels;
    struct labels_error error;
    struct run *r;
    const struct compile *c;

    (void)state;
    trace_file(&t);
    trace_start(&t, trace_ids(0, 0, 0), "f", 5);
    trace_payload(&t, "{\"dynamo_output_graph\": {}, " IN(0, 0, 0) "}", "x");
    trace_artifact(&t, "my_report", IN(0, 0, 0), "x");
    trace_artifact(&t, "my_a_b_report", IN(0, 0, 0), "x");
    r = trace_run(&t);
    c = r->processes.v[0]->compiles.v[0];
    assert_true(labels_parse(a, str_of(rules), &labels, &error));
    labels_apply(a, &labels, r);
    assert_str(artifacts_of(a, c), "dynamo_output_graph: The graph, Dynamo, fx; my_report: -, Kernels, text; "
                                   "my_a_b_report: Report, Mine, json");
    assert_str(format_frame(a, c->frame), "block (f)");
    assert_str(c->frame->group, "Model");
    run_free(r);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refused), cmocka_unit_test(applied)};
    const bool can_read = strcmp(yaml_library(), "no libyaml") != 0;

    if (!can_read)
        return puts("1..0 # SKIP built without libyaml"), 0;
    return RUN(tests);
}
