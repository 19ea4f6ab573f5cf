/* Workload files: what they say, what they are refused for, and that what is written is read as the same. */
#include "unit.h"

#include "relaunch/workload/workload_write.h"
#include "util/formats/yaml.h"

static struct str error_of(struct arena *a, const char *text)
{
    struct workload w;
    struct workload_error error;

    if (workload_parse(a, str_of(text), STR("/base"), &w, &error))
        return STR("");
    return arena_printf(a, "%llu: %.*s", (unsigned long long)error.line, STR_ARG(error.text));
}

static void refused(void **state)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"command: python x.py\n", ""},
        {"", "1: `command` is missing: the program to run"},
        {"- x\n", "1: expected a map of keys and values"},
        {"command: python 'x.py\n", "1: a quote in `command` is never closed"},
        {"command: {a: b}\n", "1: `command` must be a line of text, or a list of words"},
        {"command: [python, [x]]\n", "1: `command` must be a text"},
        {"command: x\nrepeats: 0\n", "2: `repeats` must be a whole number from 1 to 1000"},
        {"command: x\nrepeats: two\n", "2: `repeats` must be a whole number from 1 to 1000"},
        {"command: x\n\ntime-limit: 90x\n",
         "3: `time-limit` must be a time such as 90, 90s, 15min or 2h, 30 days at most"},
        {"command: x\ntime-limit: 800h\n",
         "2: `time-limit` must be a time such as 90, 90s, 15min or 2h, 30 days at most"},
        {"command: x\nlauncher: ssh\n", "2: `launcher` must be one of none, torchrun, mpirun, srun"},
        {"command: x\ncaches: hot\n", "2: `caches` must be one of as-is, cold, warm"},
        {"command: x\nfullgraph: yes\n", "2: `fullgraph` must be true or false"},
        {"command: x\nenvironment:\n  A B: 1\n", "3: `A B` is not a valid variable name"},
        {"command: x\nenvironment: [A]\n", "2: `environment` must be a map of names and values"},
        {"command: x\nunset:\n  - '=x'\n", "3: this is not a valid variable name"},
        {"command: x\nchecks:\n  - rtol: 1\n", "3: a check has one of exit, output and file"},
        {"command: x\nchecks:\n  - {exit: 0, file: y}\n", "3: a check has one of exit, output and file"},
        {"command: x\nchecks:\n  - output: y(\n", "3: `y(` is not an extended regular expression: Unmatched ( or \\("},
        {"command: x\nchecks:\n  - {output: y, rtol: -1}\n", "3: `rtol` must be a number that is not negative"},
        {"command: x\nchecks:\n  - {output: y, rtol: nan}\n", "3: `rtol` must be a number that is not negative"},
        {"command: x\nvariants:\n  - {backend: eager}\n",
         "3: a variant needs a `name` of letters, digits and _ . + = -, which becomes the name of a directory"},
        {"command: x\nvariants:\n  - {name: ../up}\n",
         "3: a variant needs a `name` of letters, digits and _ . + = -, which becomes the name of a directory"},
        {"command: x\nvariants:\n  - {name: base}\n", "3: the name `base` is already taken"},
        {"command: x\nvariants:\n  - {name: a}\n  - {name: a}\n", "4: the name `a` is already taken"},
        {"command: x\ncomand: y\n",
         "2: unknown key `comand`; there are command, directory, environment, unset, python, launcher, ranks, repeats, "
         "time-limit, gpus, caches, why, torch-logs, ablate, bisect, minify, fix, fix-limit, gpu, gpu-activity, "
         "backend, mode, "
         "dynamic, "
         "fullgraph, recompile-limit, disable, config, bisect-variants, variants, checks"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(error_of(a, cases[i].text), cases[i].error);
    arena_free(a);
}

/* A list with n entries, from a pattern with the number in it. */
static struct str with_list(struct arena *a, const char *key, const char *entry, int n)
{
    struct buf b = {0};
    struct str made;

    buf_printf(&b, "command: x\n%s:\n", key);
    for (int i = 0; i < n; i++)
        buf_printf(&b, "  - {name: v%d, %s}\n", i, entry);
    made = arena_str(a, buf_view(&b));
    buf_free(&b);
    return made;
}

/* Each number at both of its limits, and beyond; each list at its longest. */
static void limits(void **state)
{
    static const struct {
        const char *key, *least, *most, *below, *above;
    } numbers[] = {
        {"ranks", "1", "100000", "0", "100001"},     {"repeats", "1", "1000", "0", "1001"},
        {"fix-limit", "1", "1000", "0", "1001"},     {"recompile-limit", "1", "1000000", "0", "1000001"},
        {"time-limit", "1", "2592000", "0", "2592001"}, {"time-limit", "1s", "720h", "0s", "721h"},
        {"time-limit", "1m", "43200min", "0m", "43201min"}, {"time-limit", "1 h", "720 h", "-1", "1 d"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(numbers); i++) {
        const char *const good[] = {numbers[i].least, numbers[i].most};
        const char *const bad[] = {numbers[i].below, numbers[i].above, "x"};

        for (size_t k = 0; k < COUNT(good); k++)
            assert_str(error_of(a, arena_printf(a, "command: x\n%s: %s\n", numbers[i].key, good[k]).p), "");
        for (size_t k = 0; k < COUNT(bad); k++)
            if (error_of(a, arena_printf(a, "command: x\n%s: %s\n", numbers[i].key, bad[k]).p).n == 0)
                fail_msg("%s: %s", numbers[i].key, bad[k]);
    }
    for (int status = -1; status <= 256; status += status == 0 ? 255 : 1)
        assert_int_equal(error_of(a, arena_printf(a, "command: x\nchecks:\n  - exit: %d\n", status).p).n == 0,
                         status >= 0 && status < 256);
    assert_str(error_of(a, with_list(a, "variants", "mode: default", 200).p), "");
    assert_str(error_of(a, with_list(a, "variants", "mode: default", 201).p), "3: `variants`: 200 at most");
    assert_str(error_of(a, "command: x\nvariants: 3\n"), "2: `variants` must be a list");
    arena_free(a);
}

/* Names become directories. */
static void names(void **state)
{
    static const struct {
        const char *name;
        bool good;
    } cases[] = {
        {"a", true},     {"A.b-c_d+e=1", true}, {"'-a'", false}, {"'.a'", false}, {"'a b'", false}, {"a/b", false},
        {"base", false}, {"report", false},     {"run.json", false}, {"workload.yaml", false}, {"Base", true},
        {"a1234567890123456789012345678901234567890123456789012345678901234", false},
        {"a123456789012345678901234567890123456789012345678901234567890123", true},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if ((error_of(a, arena_printf(a, "command: x\nvariants:\n  - {name: %s}\n", cases[i].name).p).n == 0) !=
            cases[i].good)
            fail_msg("%s", cases[i].name);
    arena_free(a);
}

static void variables(void **state)
{
    static const struct {
        const char *name;
        bool good;
    } cases[] = {{"A", true}, {"a", true}, {"_", true},   {"A1_b", true}, {"Z", true},   {"z", true},
                 {"'1'", false}, {"1A", false}, {"A-B", false}, {"''", false}, {"'A@'", false}, {"'A{'", false}};
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        bool set = error_of(a, arena_printf(a, "command: x\nenvironment: {%s: y}\n", cases[i].name).p).n == 0;
        bool unset = error_of(a, arena_printf(a, "command: x\nunset: [%s]\n", cases[i].name).p).n == 0;

        if (set != cases[i].good || unset != cases[i].good)
            fail_msg("%s", cases[i].name);
    }
    arena_free(a);
}

/* Each word of each key that has words. */
static void words(void **state)
{
    static const struct {
        const char *key;
        const char *words[5];
    } cases[] = {{"launcher", {"none", "torchrun", "mpirun", "srun"}},
                 {"caches", {"as-is", "cold", "warm"}},
                 {"dynamic", {"as-is", "none", "true", "false"}}};
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int k = 0; cases[i].words[k]; k++) {
            struct str text = arena_printf(a, "command: x\n%s: %s\n", cases[i].key, cases[i].words[k]);
            struct workload_error error;
            struct workload w;

            assert_true(workload_parse(a, text, STR("/base"), &w, &error));
            assert_int_equal(i == 0 ? (int)w.launcher : i == 1 ? (int)w.caches : (int)w.what_if.dynamic, k);
            assert_string_equal(i == 0   ? launcher_name(w.launcher)
                                : i == 1 ? caches_name(w.caches)
                                         : dynamic_name(w.what_if.dynamic),
                                cases[i].words[k]);
        }
    arena_free(a);
}

static const char whole[] =
    "command: torchrun --nproc-per-node 2 'my train.py' --name \"a b\"\n"
    "directory: sub\n"
    "environment: {A: '1', B: ''}\n"
    "unset: [C]\n"
    "python: /opt/python\n"
    "ranks: 4\nrepeats: 3\ntime-limit: 2h\ngpus: '0,1'\ncaches: warm\nlauncher: torchrun\n"
    "why: breaks\ntorch-logs: '+dynamo'\nablate: true\nfix: true\nfix-limit: 7\nbisect-variants: true\nbackend: eager\n"
    "bisect: true\nminify: true\ngpu: true\ngpu-activity: kineto\nmode: default\ndynamic: true\nfullgraph: true\n"
    "recompile-limit: 5\ndisable: a.f\nconfig: 'A.b=1'\n"
    "variants:\n"
    "  - name: older\n    python: /opt/212/bin/python\n    environment: {D: 'x\"y'}\n"
    "  - {name: small, dynamic: false, recompile-limit: 3, disable: a.b.f, fullgraph: true}\n"
    "checks:\n"
    "  - exit: 3\n"
    "  - {output: 'loss ([0-9.]+)', rtol: 0.001}\n"
    "  - {file: out.npy, atol: 0}\n";

static void read_whole(void **state)
{
    struct arena *a = arena_new();
    struct workload w;
    struct workload_error error;

    (void)state;
    assert_true(workload_parse(a, str_of(whole), STR("/base"), &w, &error));
    assert_int_equal(w.command.n, 6);
    assert_str(w.command.v[3], "my train.py");
    assert_str(w.command.v[5], "a b");
    assert_str(w.directory, "/base/sub");
    assert_int_equal(w.environment.n, 3);
    assert_true(w.environment.v[2].unset);
    assert_int_equal(w.time_limit_s, 7200);
    assert_int_equal(w.launcher, LAUNCHER_TORCHRUN);
    assert_int_equal(w.caches, CACHES_WARM);
    assert_true(w.fix);
    assert_int_equal(w.fix_limit, 7);
    assert_int_equal(w.variants.n, 2);
    assert_int_equal(w.variants.v[1].what_if.dynamic, DYNAMIC_FALSE);
    assert_int_equal(w.checks.n, 3);
    assert_int_equal(w.checks.v[0].kind, CHECK_EXIT);
    assert_int_equal(w.checks.v[0].status, 3);
    assert_true(w.checks.v[1].atol == CHECK_TOLERANCE_UNSET && w.checks.v[1].rtol == 0.001);
    assert_true(w.checks.v[2].atol == 0);
    assert_str(w.python, "/opt/python");
    assert_int_equal(w.ranks, 4);
    assert_int_equal(w.repeats, 3);
    assert_str(w.gpus, "0,1");
    assert_str(w.question, "breaks");
    assert_str(w.torch_logs, "+dynamo");
    assert_true(w.ablate && w.bisect && w.minify && w.needs_gpu && w.bisect_variants && w.what_if.fullgraph);
    assert_str(w.gpu_activity, "kineto");
    assert_str(w.what_if.backend, "eager");
    assert_str(w.what_if.mode, "default");
    assert_int_equal(w.what_if.dynamic, DYNAMIC_TRUE);
    assert_int_equal(w.what_if.recompile_limit, 5);
    assert_str(w.what_if.disable, "a.f");
    assert_str(w.what_if.config, "A.b=1");
    assert_str(w.variants.v[0].name, "older");
    assert_str(w.variants.v[0].python, "/opt/212/bin/python");
    assert_int_equal(w.variants.v[1].what_if.recompile_limit, 3);
    assert_str(w.checks.v[1].text, "loss ([0-9.]+)");
    assert_str(w.checks.v[2].text, "out.npy");
    assert_int_equal(w.checks.v[1].kind, CHECK_OUTPUT);
    assert_int_equal(w.checks.v[2].kind, CHECK_FILE);
    arena_free(a);
}

/* Those that a workload may have: the complaint about another one names them. */
static struct str keys_of(struct arena *a)
{
    struct str keys = error_of(a, "command: x\ncomand: y\n");

    return str_skip(keys, (size_t)(str_find(keys, STR("there are ")) + sizeof "there are " - 1));
}

static void written_is_read_as_the_same(void **state)
{
    struct arena *a = arena_new();
    struct workload w, again;
    struct workload_error error = {0};
    struct buf first = {0}, second = {0};

    (void)state;
    assert_true(workload_parse(a, str_of(whole), STR("/base"), &w, &error));
    workload_write(&w, &first);
    if (!workload_parse(a, buf_view(&first), STR("/elsewhere"), &again, &error))
        fail_msg("%llu: %.*s", (unsigned long long)error.line, STR_ARG(error.text));
    workload_write(&again, &second);
    assert_lines(buf_view(&second), buf_view(&first));
    for (struct str keys = keys_of(a), key; (key = str_trim(str_split(&keys, ','))).n;) {
        struct str line = arena_printf(a, "\n%.*s:", STR_ARG(key));

        if (!str_has(buf_view(&first), line) && !str_starts(buf_view(&first), str_skip(line, 1)))
            fail_msg("%.*s is read and not written", STR_ARG(key));
    }
    assert_str(again.directory, "/base/sub");
    assert_int_equal(again.variants.v[0].environment.n, 1);
    assert_str(again.variants.v[0].environment.v[0].value, "x\"y");
    assert_str(again.environment.v[1].value, "");
    buf_free(&first);
    buf_free(&second);
    arena_free(a);
}

/* Control characters, ends of lines beyond ASCII, a byte order mark, quotes; only bytes that are no UTF-8 are lost. */
static void any_text_is_written(void **state)
{
    static const char text[] = "a\"b\\c\n\t\x01\x7f\xc2\x9b\xc2\x85\xc2\xa0\xe2\x80\xa8\xe2\x80\xa9\xef\xbb\xbf\xef\xbf"
                               "\xbf\xc3\xa4\xf0\x9f\x8e\x89";
    struct arena *a = arena_new();
    struct workload w = {.directory = STR("/base")}, again;
    struct workload_error error = {0};
    struct buf out = {0};

    (void)state;
    vec_push(a, &w.command, str_of(text));
    vec_push(a, &w.command, STR("bad \xff"));
    workload_write(&w, &out);
    if (!workload_parse(a, buf_view(&out), STR("/base"), &again, &error))
        fail_msg("%llu: %.*s", (unsigned long long)error.line, STR_ARG(error.text));
    assert_int_equal(again.command.n, 2);
    assert_str(again.command.v[0], text);
    assert_str(again.command.v[1], "bad \xef\xbf\xbd");
    buf_free(&out);
    arena_free(a);
}

static void split(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"a b", "a|b|"},
        {"  a\t b  ", "a|b|"},
        {"a 'b c' d", "a|b c|d|"},
        {"a\"b c\"d", "ab cd|"},
        {"a\\ b", "a b|"},
        {"'a\\b'", "a\\b|"},
        {"\"a\\\"b\"", "a\"b|"},
        {"a ''", "a||"},
        {"$HOME *.py", "$HOME|*.py|"},
        {"", ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct workload w = workload_empty();
        struct str words = {"", 0};

        assert_true(workload_split(a, str_of(cases[i].text), &w));
        vec_each(const struct str, word, &w.command) words =
            arena_printf(a, "%.*s%.*s|", STR_ARG(words), STR_ARG(*word));
        assert_str(words, cases[i].words);
    }
    arena_free(a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(refused), cmocka_unit_test(limits),
                                              cmocka_unit_test(names), cmocka_unit_test(variables),
                                              cmocka_unit_test(words), cmocka_unit_test(read_whole),
                                              cmocka_unit_test(written_is_read_as_the_same),
                                              cmocka_unit_test(any_text_is_written), cmocka_unit_test(split)};

    static const struct CMUnitTest without_yaml[] = {cmocka_unit_test(split)};

    return strcmp(yaml_library(), "no libyaml") != 0 ? RUN(tests) : RUN(without_yaml);
}
