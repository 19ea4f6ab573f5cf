#include "analysis/analyze.h"
#include "trace_text.h"

#include "analysis/find/finding.h"
#include "load/copies.h"
#include "load/load.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <zlib.h>

static const struct load_options options = {.trace = {.check_digests = true}};

/* Loads paths of the temporary directory ("-" is itself). */
static struct run *load(const struct load_options *o, const char *const *names, struct load_error *error)
{
    const char *paths[10];
    struct pool *pool = pool_new(2);
    struct run *r;
    size_t n = 0;

    for (; names[n]; n++)
        paths[n] = strcmp(names[n], "-") == 0 ? "-" : temp_path(names[n]);
    r = load_run(paths, n, o, pool, error);
    pool_free(pool);
    return r;
}

#define LOAD(...) load(&options, (const char *const[]){__VA_ARGS__, NULL}, &(struct load_error){0})

/* A trace with one compile. */
static struct str trace(struct trace_text *t)
{
    t->text.n = 0;
    trace_record(t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}");
    trace_artifact(t, "x", IN(0, 0, 0), "text");
    return buf_view(&t->text);
}

static void write_gzip(const char *name, struct str text)
{
    gzFile gz = gzopen(temp_path(name), "wb");

    assert_int_equal(gzwrite(gz, text.p, (unsigned)text.n), text.n);
    gzclose(gz);
}

static void check_not_used(const char *name, const char *why, enum input_kind kind)
{
    struct run *r = LOAD(name);

    assert_int_equal(r->inputs.n, 1);
    assert_false(r->inputs.v[0]->used);
    assert_str(r->inputs.v[0]->why_not, why);
    assert_int_equal(r->inputs.v[0]->kind, kind);
    assert_false(run_has_records(r));
    assert_int_equal(r->processes.n, 0);
    run_free(r);
}

static void check_used(const char *name)
{
    struct run *r = LOAD(name);

    assert_int_equal(r->inputs.n, 1);
    if (!r->inputs.v[0]->used)
        fail_msg("%s: %.*s", name, STR_ARG(r->inputs.v[0]->why_not));
    assert_int_equal(r->inputs.v[0]->kind, INPUT_TORCH_TRACE);
    assert_true(run_has_records(r));
    assert_int_equal(r->totals.records, 2);
    assert_str(trace_messages(r), "");
    assert_str(trace_text_of(r, trace_find(r, "x")), "text");
    run_free(r);
}

static void what_a_file_is(void **state)
{
    static const struct {
        const char *name;
        struct str text;
        const char *why;
        enum input_kind kind;
    } files[] = {
        {"empty", STR_INIT(""), "empty: the process wrote no record", INPUT_OTHER},
        {"text", STR_INIT("hello\nworld\n"), "it contains neither a TORCH_TRACE record nor a TORCH_LOGS message",
         INPUT_OTHER},
        {"x.zst", STR_INIT("\x28\xb5\x2f\xfd...."), "compressed with zstd: decompress it first", INPUT_OTHER},
        {"x.zip", STR_INIT("PK\x03\x04...."), "a zip archive: unpack it first", INPUT_OTHER},
        {"x.xz", STR_INIT("\xfd\x37zXZ..."), "compressed with xz: decompress it first", INPUT_OTHER},
        {"x.bz2", STR_INIT("BZh91AY"), "compressed with bzip2: decompress it first", INPUT_OTHER},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        temp_write(files[i].name, files[i].text);
        check_not_used(files[i].name, files[i].why, files[i].kind);
    }
    write_gzip("empty.gz", STR(""));
    check_not_used("empty.gz", "empty: the process wrote no record", INPUT_OTHER);
    write_gzip("text.gz", STR("hello\n"));
    check_not_used("text.gz", "it contains neither a TORCH_TRACE record nor a TORCH_LOGS message", INPUT_OTHER);
}

static void logs(void **state)
{
    static const struct str texts[] = {
        STR_INIT("hello\nV1121 10:00:00.000000 1 x.py:3] [0/0] [__guards] GUARDS:\n"),
        STR_INIT("[2024-02-13 19:34:50,591] [0/0] torch._dynamo: [DEBUG] x\n"),
        STR_INIT("[rank0]: I1121 10:00:00.000000 1 x.py:3] [0/0] hello\n"),
        STR_INIT("DEBUG:torch._dynamo.guards.__recompiles:Recompiling function f in x.py:3\n"),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct run *r;

        temp_write("torch.log", texts[i]);
        r = LOAD("torch.log");
        assert_true(r->inputs.v[0]->used);
        assert_int_equal(r->inputs.v[0]->kind, INPUT_TORCH_LOGS);
        assert_int_equal(r->processes.n, 1);
        run_free(r);
    }
}

static void traces(void **state)
{
    struct trace_text t = {0};

    (void)state;
    temp_write("plain", trace(&t));
    check_used("plain");
    write_gzip("packed.gz", trace(&t));
    check_used("packed.gz");
    write_gzip("packed.log", trace(&t)); /* recognized by content, not by name */
    check_used("packed.log");
    t.prefix = "[rank0]: ";
    temp_write("prefixed", trace(&t));
    check_used("prefixed");
    buf_free(&t.text);
}

/* Output of the program, more than is looked at to find out what a file is. */
static void add_output(struct buf *text)
{
    while (text->n < 300000)
        buf_str(text, STR("a line of the program\n"));
}

/* An artifact that is not known here is counted each time, and one that is known never. */
static void unknown_artifacts_of_logs(void **state)
{
    static const struct {
        const char *artifact;
        unsigned unknown;
    } cases[] = {{"unheard_of", 2}, {"guards", 0}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[300];
        struct run *r;

        snprintf(text, sizeof text,
                 "V1121 10:00:00.000000 1 torch/x.py:3] [0/0] [__%s] one\n"
                 "V1121 10:00:01.000000 1 torch/x.py:3] [0/0] [__%s] two\n",
                 cases[i].artifact, cases[i].artifact);
        temp_write("unknown.log", str_of(text));
        r = LOAD("unknown.log");
        assert_int_equal(r->totals.records, 2);
        assert_int_equal(r->totals.unknown_records, cases[i].unknown);
        run_free(r);
    }
}

/* A traceback is found as far behind as a record. */
static void late_crash(void)
{
    struct buf text = {0};
    struct run *r;

    add_output(&text);
    buf_str(&text, STR("Traceback (most recent call last):\n  File \"/x.py\", line 3, in f\nKeyError: 1\n"));
    temp_write("late/crash", buf_view(&text));
    r = LOAD("late/crash");
    assert_true(r->inputs.v[0]->used);
    assert_int_equal(r->inputs.v[0]->kind, INPUT_TORCH_LOGS);
    run_free(r);
    buf_free(&text);
}

/* Before its trace a file may have much else: found in a directory it is not looked at that far, named it is. */
static void late_records(void **state)
{
    struct trace_text t = {0};
    struct buf text = {0};
    struct run *r;

    (void)state;
    assert_int_equal(mkdir(temp_path("late"), 0700), 0);
    add_output(&text);
    buf_str(&text, trace(&t));
    temp_write("late/file", buf_view(&text));
    temp_write("late/small", trace(&t));
    r = LOAD("late");
    assert_int_equal(r->inputs.n, 2);
    assert_false(r->inputs.v[0]->used);
    assert_true(r->inputs.v[1]->used);
    run_free(r);
    r = LOAD("late/file");
    assert_true(r->inputs.v[0]->used);
    assert_int_equal(r->totals.records, 2);
    run_free(r);
    late_crash();
    text.n = 0;
    add_output(&text);
    temp_write("late/none", buf_view(&text));
    r = LOAD("late/none");
    assert_false(r->inputs.v[0]->used);
    assert_str(r->inputs.v[0]->why_not, "it contains neither a TORCH_TRACE record nor a TORCH_LOGS message");
    run_free(r);
    buf_free(&text);
    buf_free(&t.text);
}

static void directories(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    assert_int_equal(mkdir(temp_path("dir"), 0700), 0);
    temp_write("dir/b.log", trace(&t));
    t.pid = 200;
    temp_write("dir/a.log", trace(&t));
    temp_write("dir/notes.txt", STR("hello\n"));
    r = LOAD("dir");
    assert_int_equal(r->inputs.n, 3);
    assert_true(str_ends(r->inputs.v[0]->path, STR("a.log")));
    assert_true(str_ends(r->inputs.v[1]->path, STR("b.log")));
    assert_false(r->inputs.v[2]->used);
    assert_int_equal(r->processes.n, 2);
    run_free(r);
    r = LOAD("dir/b.log", "dir", "dir/a.log");
    assert_int_equal(r->inputs.n, 3);
    run_free(r);
    buf_free(&t.text);
}

#define TRACING                                                                                                        \
    "V1121 10:00:00.000000 7 torch/_dynamo/symbolic_convert.py:9] [0/0] [__trace_source] TRACE starts_line "           \
    "/x/train.py:6 in f (f)\n"
#define START                                                                                                          \
    "I1121 10:00:00.000000 7 torch/_dynamo/convert_frame.py:9] [0/0] torchdynamo start tracing f "                     \
    "/x/train.py:5\n" TRACING
#define LIBRARY "  File \"/venv/lib/python3.11/site-packages/torch/"
#define RAISED(number, words)                                                                                          \
    "step failed\nTraceback (most recent call last):\n  File \"/x/train.py\", line " #number ", in <module>\n"         \
    "    f(1)\n" LIBRARY "_dynamo/convert_frame.py\", line 900, in _compile\n    x()\n" LIBRARY                        \
    "_inductor/lowering.py\", line 90, in lower\n    x()\ntorch._inductor.exc.InductorError: " words "\n"

/* A compile has one exception; more that follow are of others, unless the log shows that it went on. */
static void whose_an_exception_is(void **state)
{
    static const struct {
        struct str text;
        const char *of_compile, *of_none;
    } cases[] = {
        {STR_INIT(START RAISED(10, "one")), " one", ""},
        {STR_INIT(START RAISED(10, "one") RAISED(11, "two")), " one", " two"},
        {STR_INIT(START RAISED(10, "one") RAISED(11, "two") RAISED(12, "three")), " one", " two three"},
        {STR_INIT(START RAISED(10, "one") TRACING RAISED(11, "two")), " one two", ""},
        {STR_INIT(START RAISED(10, "one") TRACING RAISED(10, "one") RAISED(11, "two")), " one one", " two"},
        {STR_INIT(START RAISED(10, "one") RAISED(10, "one")), " one", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str found[2] = {STR(""), STR("")};
        const struct compile *c;
        struct compile_walk w;
        struct run *r;

        temp_write("errors.log", cases[i].text);
        r = LOAD("errors.log");
        w = (struct compile_walk){.run = r};
        while ((c = compile_next(&w)))
            for (size_t k = 0; k < c->failures.n; k++)
                found[!c->frame] = arena_printf(r->arena, "%.*s %.*s", STR_ARG(found[!c->frame]),
                                                STR_ARG(c->failures.v[k]->message));
        assert_str(found[0], cases[i].of_compile);
        assert_str(found[1], cases[i].of_none);
        run_free(r);
    }
}

/* What PyTorch logs again and again is said once. */
static void warnings_that_come_again(void **state)
{
#define SMALL "Not enough SMs to use max_autotune_gemm mode"
#define WARNED(second, text) "W0102 10:11:" second ".131000 9 torch/_inductor/utils.py:1679] [0/0] " text "\n"
    struct run *r;

    (void)state;
    temp_write("warned", STR(WARNED("12", SMALL) WARNED("13", "unable to load compiled graph") WARNED("14", SMALL)));
    r = LOAD("warned");
    assert_int_equal(r->processes.n, 1);
    assert_int_equal(r->processes.v[0]->unattributed->failures.n, 2);
    assert_str(r->processes.v[0]->unattributed->failures.v[0]->message, SMALL);
    assert_str(r->processes.v[0]->unattributed->failures.v[1]->message, "compiled code of the cache cannot be loaded");
    run_free(r);
}

#define BREAK "V1121 10:00:00.000000 7 torch/_dynamo/symbolic_convert.py:9] [0/0] [__graph_breaks] "

/* A text may begin anywhere within the message of a break. */
static void breaks_without_their_beginning(void **state)
{
    static const struct {
        struct str text;
        int64_t line;
    } cases[] = {
        {STR_INIT(BREAK "    raise Unsupported(msg)\n" BREAK "torch._dynamo.exc.Unsupported: call no\n"), 0},
        {STR_INIT(BREAK "torch._dynamo.exc.Unsupported: call no\n"), 0},
        {STR_INIT(BREAK "torch._dynamo.exc.Unsupported: call no\n" BREAK "\n" BREAK "from user code:\n" BREAK
                        "   File \"/x/train.py\", line 3, in f\n" BREAK "    with x:\n"),
         3},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct compile *c;
        struct run *r;

        temp_write("breaks.log", cases[i].text);
        r = LOAD("breaks.log");
        c = r->processes.v[0]->compiles.v[0];
        assert_int_equal(c->breaks.n, 1);
        assert_str(c->breaks.v[0]->type, "call no");
        assert_int_equal(c->breaks.v[0]->line, cases[i].line);
        run_free(r);
    }
}

/* What a console or a launcher's file without process ids belongs to, `pt2trace run` has noted in run.json. */
static void consoles_of_a_run(void **state)
{
    static const struct {
        const char *path;
        uint64_t pid;
    } files[] = {
        {"run/base/log/console.err", 40},
        {"run/base/log/ranks/x/attempt_0/0/stderr.log", 41},
        {"run/base/log/ranks/x/attempt_0/1/stdout.log", 42},
        {"run/base/log/ranks/x/attempt_1/1/stderr.log", 52},
        {"run/base/log/ranks/x/attempt_1/0/stderr.log", 0}, /* nothing was noted */
        {"run/base/log/ranks/x/attempt_0/1/other.log", 0},  /* of the program: it may be of several processes */
    };
    struct run *r;

    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[100];

        for (const char *slash = strchr(files[i].path, '/'); slash; slash = strchr(slash + 1, '/')) {
            snprintf(path, sizeof path, "%.*s", (int)(slash - files[i].path), files[i].path);
            mkdir(temp_path(path), 0700);
        }
        temp_write(files[i].path, STR("V1121 10:00:00.000000 7 torch/x.py:7] [0/0] [__guards] GUARDS:\n"));
    }
    temp_write("run/run.json",
               STR("{\"schema\": \"pt2trace-run\", \"version\": 1, \"trials\": [{\"name\": \"base\", \"pid\": 40, "
                   "\"ranks\": [{\"rank\": 0, \"attempt\": 0, \"pid\": 41}, {\"rank\": 1, \"attempt\": 0, \"pid\": "
                   "42}, {\"rank\": 1, \"attempt\": 1, \"pid\": 52}]}]}\n"));
    r = LOAD("run");
    for (size_t i = 0; i < COUNT(files); i++) {
        const struct input *found = NULL;

        for (size_t k = 0; k < r->inputs.n; k++)
            if (str_ends(r->inputs.v[k]->path, str_of(files[i].path)))
                found = r->inputs.v[k];
        if (!found || found->console_pid != files[i].pid)
            fail_msg("%s: %llu", files[i].path, found ? (unsigned long long)found->console_pid : 0);
    }
    run_free(r);
}

static void paths_that_are_not_there(void **state)
{
    struct load_error error = {0};

    (void)state;
    assert_null(load(&options, (const char *const[]){"dir", "missing", NULL}, &error));
    assert_int_equal(error.error, ENOENT);
    assert_true(str_ends(str_of(error.path), STR("/missing")));
}

/* n bytes of text in which nothing is found, and then a trace. */
static struct str after_text(struct arena *a, size_t n, struct str then)
{
    char *p = arena_alloc(a, n + then.n);

    memset(p, 'x', n);
    p[n - 1] = '\n';
    memcpy(p + n, then.p, then.n);
    return (struct str){p, n + then.n};
}

/* "kind used needed read digests-checked", of the only file. */
static void assert_known(const char *path, const char *expected)
{
    struct run *r = LOAD(path);
    const struct input *in = r->inputs.v[0];
    char got[60];

    assert_int_equal(r->inputs.n, 1);
    snprintf(got, sizeof got, "%s%s%s%s%s", input_kind_name(in->kind), in->used ? " used" : "",
             in->needed ? " needed" : "", in->read ? " read" : "", in->digests_checked ? " checked" : "");
    if (strcmp(got, expected) != 0)
        fail_msg("%s: %s, not %s: %.*s", path, got, expected, STR_ARG(in->why_not));
    run_free(r);
}

#define NAMED " used needed read checked"

/* What is known of each sort of file, when it is named, and when it lies in a directory. */
static void what_is_known(void **state)
{
    struct trace_text t = {0};
    struct arena *a = arena_new();
    const struct {
        struct str text;
        const char *named, *found;
    } cases[] = {
        {STR(""), "other needed", "other"},
        {STR("hello\n"), "other needed", "other"},
        {STR("DEBUG:torch._dynamo.guards.__recompiles:Recompiling f\n"), "torch_logs" NAMED,
         "torch_logs used read checked"},
        {STR("\x28\xb5\x2f\xfd...."), "other needed", "other"},
        {arena_str(a, trace(&t)), "torch_trace" NAMED, "torch_trace" NAMED},
        {after_text(a, 1000, trace(&t)), "torch_trace" NAMED, "torch_trace" NAMED},
        {after_text(a, LIMIT_SNIFF - 1, STR("")), "other needed", "other"},
        {after_text(a, LIMIT_SNIFF, STR("")), "other needed read checked", "other"},
        {after_text(a, LIMIT_SNIFF, trace(&t)), "torch_trace" NAMED, "other"},
    };

    (void)state;
    assert_int_equal(mkdir(temp_path("known"), 0700), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        temp_write("known/file.log", cases[i].text);
        assert_known("known/file.log", cases[i].named);
        assert_known("known", cases[i].found);
    }
    buf_free(&t.text);
    arena_free(a);
}

/* Standard input, and a pipe with a name, are read from their beginning, which can be read only once. */
static void streams(void **state)
{
    struct trace_text t = {0};
    int keep = dup(STDIN_FILENO), file, status;
    pid_t writer;

    (void)state;
    temp_write("stdin", trace(&t));
    file = open(temp_path("stdin"), O_RDONLY);
    dup2(file, STDIN_FILENO);
    check_used("-");
    dup2(keep, STDIN_FILENO);
    close(file);
    close(keep);

    assert_int_equal(mkfifo(temp_path("fifo"), 0600), 0);
    writer = fork();
    if (writer == 0) {
        int fd = open(temp_path("fifo"), O_WRONLY);
        bool ok = write(fd, t.text.p, t.text.n) == (ssize_t)t.text.n;

        close(fd);
        _exit(!ok);
    }
    check_used("fifo");
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    buf_free(&t.text);

    writer = fork();
    if (writer == 0)
        _exit(open(temp_path("fifo"), O_WRONLY) < 0);
    check_not_used("fifo", "it contains neither a TORCH_TRACE record nor a TORCH_LOGS message", INPUT_OTHER);
    waitpid(writer, &status, 0);
}

static void progress(void **state)
{
    uint64_t done = 0, expected = 0;
    struct load_options o = options;
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    o.progress = &done;
    o.expected = &expected;
    temp_write("p1", trace(&t));
    write_gzip("p2.gz", trace(&t));
    temp_write("p3", STR("no trace\n"));
    r = load(&o, (const char *const[]){"p1", "p2.gz", "p3", NULL}, &(struct load_error){0});
    assert_int_equal(done, expected);
    assert_true(done > t.text.n);
    run_free(r);
    buf_free(&t.text);
}

static void latest(void **state)
{
    struct load_options o = options;
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    o.latest = true;
    temp_write("l1", trace(&t));
    t = (struct trace_text){.text = t.text, .ms = 600000};
    temp_write("l2", trace(&t));
    r = load(&o, (const char *const[]){"l1", "l2", NULL}, &(struct load_error){0});
    assert_int_equal(r->processes.n, 1);
    assert_false(r->inputs.v[0]->used);
    assert_str(r->inputs.v[0]->why_not, "of an earlier run (--latest)");
    assert_true(r->inputs.v[1]->used);
    run_free(r);
    buf_free(&t.text);
}

/* Only the bytes show whether a file is a copy: one that is gone by then is none. */
static void copies_that_are_gone(void **state)
{
    static const char *const names[] = {"g1", "g2"};

    (void)state;
    for (size_t gone = 0; gone < COUNT(names); gone++) {
        struct trace_text t = {0};
        struct run *r;

        temp_write("g1", trace(&t));
        t.text.p[t.text.n - 2] = 'T';
        temp_write("g2", buf_view(&t.text));
        r = LOAD("g1", "g2");
        assert_int_equal(unlink(temp_path(names[gone])), 0);
        copies_drop(r);
        assert_true(r->inputs.v[0]->used && r->inputs.v[1]->used);
        temp_write("g1", buf_view(&t.text));
        temp_write("g2", buf_view(&t.text));
        copies_drop(r);
        assert_true(r->inputs.v[0]->used && !r->inputs.v[1]->used);
        run_free(r);
        buf_free(&t.text);
    }
}

/* What is damaged in a file and its copy is damaged once. */
static void messages_of_copies(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace(&t);
    trace_record(&t, "{");
    temp_write("m1", buf_view(&t.text));
    temp_write("m2", buf_view(&t.text));
    r = LOAD("m1", "m2");
    assert_str(trace_messages(r), "record-not-json:4 file-repeated:0");
    run_free(r);
    buf_free(&t.text);
}

static void set_temp_dir(const char *dir)
{
    if (dir)
        setenv("TMPDIR", dir, 1);
    else
        unsetenv("TMPDIR");
}

/* No file may grow beyond `bytes`; what is written there fails like on a full disk. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static bool says_incomplete(struct run *r)
{
    struct answers answers;

    analyze(r->arena, r, NULL, &answers);
    for (size_t i = 0; i < answers.findings->list.n; i++)
        if (strcmp(answers.findings->list.v[i]->info->id, "incomplete") == 0)
            return true;
    return false;
}

/*
 * A file that cannot be unpacked, because there is no room or no directory to do so, is not to blame: its name is said,
 * and where the room is missing, and a compile whose end was not reached is not said to have been killed.
 */
static void no_room_to_unpack(void **state)
{
    const char *before = getenv("TMPDIR");
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    trace(&t);
    trace_event(&t, IN(0, 0, 0), "dynamo", 'B', 0);
    for (int i = 0; i < 20000; i++)
        trace_artifact(&t, "x", IN(0, 0, 0), "text");
    write_gzip("room.gz", buf_view(&t.text));
    before = before ? strdup(before) : NULL;

    setenv("TMPDIR", "/nonexistent", 1);
    r = LOAD("room.gz");
    set_temp_dir(before);
    assert_false(r->inputs.v[0]->used);
    assert_false(r->inputs.v[0]->read);
    assert_true(r->inputs.v[0]->needed);
    assert_str(r->inputs.v[0]->failure, "cannot be copied into /nonexistent (TMPDIR): No such file or directory");
    run_free(r);

    limit_files(1 << 20);
    r = LOAD("room.gz");
    limit_files(RLIM_INFINITY);
    assert_true(r->inputs.v[0]->used);
    assert_true(str_starts(r->inputs.v[0]->failure, STR("cannot be copied into ")));
    assert_true(str_has(r->inputs.v[0]->failure, STR(": File too large, after ")));
    assert_str(r->messages.v[r->messages.n - 1].text, r->inputs.v[0]->failure.p);
    assert_int_equal(r->processes.v[0]->compiles.v[0]->status, STATUS_INCOMPLETE);
    assert_false(says_incomplete(r));
    run_free(r);

    r = LOAD("room.gz");
    assert_int_equal(r->inputs.v[0]->failure.n, 0);
    assert_true(says_incomplete(r));
    run_free(r);
    free((char *)before);
    buf_free(&t.text);
}

/* An unreadable file that was named is a failure; one that was found in a directory is only reported. */
static void cannot_be_read(void **state)
{
    struct trace_text t = {0};
    struct run *r;

    (void)state;
    assert_int_equal(mkdir(temp_path("unreadable"), 0700), 0);
    temp_write("unreadable/a.log", trace(&t));
    assert_int_equal(symlink("/proc/self/mem", temp_path("unreadable/b.log")), 0);
    r = LOAD("unreadable");
    assert_int_equal(r->inputs.n, 2);
    assert_true(r->inputs.v[0]->used);
    assert_str(r->inputs.v[1]->failure, "cannot be read: Input/output error");
    assert_false(r->inputs.v[1]->needed);
    run_free(r);
    r = LOAD("unreadable/a.log", "unreadable/b.log");
    assert_true(r->inputs.v[1]->needed);
    run_free(r);
    buf_free(&t.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_file_is),
        cmocka_unit_test(logs),
        cmocka_unit_test(unknown_artifacts_of_logs),
        cmocka_unit_test(traces),
        cmocka_unit_test(late_records),
        cmocka_unit_test(directories),
        cmocka_unit_test(whose_an_exception_is),
        cmocka_unit_test(warnings_that_come_again),
        cmocka_unit_test(breaks_without_their_beginning),
        cmocka_unit_test(consoles_of_a_run),
        cmocka_unit_test(paths_that_are_not_there),
        cmocka_unit_test(what_is_known),
        cmocka_unit_test(streams),
        cmocka_unit_test(no_room_to_unpack),
        cmocka_unit_test(cannot_be_read),
        cmocka_unit_test(progress),
        cmocka_unit_test(latest),
        cmocka_unit_test(copies_that_are_gone),
        cmocka_unit_test(messages_of_copies),
    };

    return RUN(tests);
}
