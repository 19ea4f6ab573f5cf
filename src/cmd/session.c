#include "cmd/session.h"

#include "analysis/analyze.h"
#include "analysis/answers/health.h"
#include "cmd/complain.h"
#include "cmd/confine.h"
#include "cmd/terminal/progress.h"
#include "load/source_root.h"
#include "model/merge/labels.h"
#include "util/system/file.h"

#include <errno.h>
#include <langinfo.h>
#include <string.h>
#include <unistd.h>

enum { COMPLAINTS = 5 };

static void complain_about_inputs(const struct run *r)
{
    size_t shown = 0;

    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct input *in = r->inputs.v[i];

        if (in->used || in->failure.n)
            continue;
        if (++shown <= COMPLAINTS)
            complain("%.*s: not used: %.*s", STR_ARG(in->path), STR_ARG(in->why_not));
    }
    if (shown > COMPLAINTS)
        complain("and %zu more file%s not used", shown - COMPLAINTS, shown - COMPLAINTS == 1 ? " was" : "s were");
}

/* An input that could not be read is missing from everything that follows, so it is always reported. */
static void complain_about_failures(const struct run *r)
{
    size_t shown = 0;

    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct input *in = r->inputs.v[i];

        if (in->failure.n && ++shown <= COMPLAINTS)
            complain("%.*s: %.*s", STR_ARG(in->path), STR_ARG(in->failure));
    }
    if (shown > COMPLAINTS)
        complain("and %zu more file%s could not be read", shown - COMPLAINTS, shown - COMPLAINTS == 1 ? "" : "s");
}

static bool input_failed(const struct run *r)
{
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.v[i]->needed && r->inputs.v[i]->failure.n)
            return true;
    return false;
}

/* Nothing was read: says what was there instead. */
static int nothing(const struct run *r, const char *path, size_t paths)
{
    if (input_failed(r))
        return EXIT_IO;
    complain_about_inputs(r);
    if (str_ends(str_of(path), STR(".py"))) {
        complain("%s: this is a program, not a trace. pt2trace run python %s runs it with tracing and reports", path,
                 path);
        return EXIT_NOTHING;
    }
    if (r->inputs.n == 0) {
        complain("%s%s: no file is in it, so nothing was compiled, or the program ran without TORCH_TRACE=DIR. "
                 "`Module.compile()` of an object of a class of PyTorch, such as `nn.Sequential`, compiles neither it "
                 "nor parts of such classes: use `torch.compile(module)`, or a class of your own around it. Nothing is "
                 "compiled either where TORCH_COMPILE_DISABLE or TORCHDYNAMO_DISABLE is 1, where code sets "
                 "`torch.compiler.set_stance(\"force_eager\")`, where the compiled function is never called, "
                 "or where it is a generator (a function with `yield`), which runs eagerly: compile what its loop "
                 "calls. An export may refuse its arguments before it records anything: its error says "
                 "so.",
                 path, paths > 1 ? " and in the others" : "");
        return EXIT_NOTHING;
    }
    complain("%s%s: neither a TORCH_TRACE record nor a message of TORCH_LOGS nor a traceback found in %zu file%s. A "
             "program writes a trace if it runs with TORCH_TRACE=DIR and compiles something.",
             path, paths > 1 ? " and the others" : "", r->inputs.n, r->inputs.n == 1 ? "" : "s");
    return EXIT_NOTHING;
}

/* Why a given path cannot be accessed. */
static void complain_about_path(const struct load_error *error)
{
    bool missing = error->error == ENOENT;

    complain("%s: %s%s", error->path, strerror(error->error),
             missing ? ". The directory in TORCH_TRACE is created when the first function is compiled" : "");
}

enum { LABELS_MAX_BYTES = 4 << 20 };

/* 0, or the exit status after an error message. */
static int use_labels(struct session *s)
{
    const char *path = s->options->labels;
    struct labels_error error;
    struct labels labels;
    struct buf text = {0};
    int rc = path ? read_file(path, LABELS_MAX_BYTES, &text) : 0;

    if (rc) {
        complain("%s: %s; --labels needs a YAML file", path, strerror(-rc));
        rc = EXIT_IO;
    } else if (path && !labels_parse(s->run->arena, buf_view(&text), &labels, &error)) {
        if (error.line)
            complain("%s:%llu: %.*s", path, (unsigned long long)error.line, STR_ARG(error.text));
        else
            complain("%s: %.*s", path, STR_ARG(error.text));
        rc = EXIT_USAGE;
    } else if (path) {
        labels_apply(s->run->arena, &labels, s->run);
    }
    buf_free(&text);
    return rc;
}

/* 0, or the exit status after an error message. */
static int use_source_root(const struct session *s)
{
    struct source_root_result found;
    int rc = s->options->source_root ? source_root_apply(s->run, s->options->source_root, &found) : 0;

    if (rc) {
        complain("%s: %s; --source-root needs a directory with the code that was traced", s->options->source_root,
                 strerror(-rc));
        return EXIT_IO;
    }
    if (s->options->source_root && found.differing)
        complain("--source-root: %.*s differs from the traced file%s; no line is taken from it", STR_ARG(found.example),
                 found.differing > 1 ? ", and so do others" : "");
    if (s->options->source_root && !s->options->quiet && found.filled)
        complain("--source-root: %zu line%s taken from %zu file%s", found.filled, found.filled == 1 ? "" : "s",
                 found.files, found.files == 1 ? "" : "s");
    else if (s->options->source_root && !s->options->quiet && !found.differing)
        complain("--source-root: no line is taken from it: the trace has all lines, or the files that it names are "
                 "missing");
    return EXIT_DONE;
}

/* All later steps only see the redacted run. */
static void redact(struct session *s)
{
    s->redactor = redactor_new();
    redact_run(s->redactor, s->run, s->options->skeleton);
    s->command = redactor_command(s->redactor, s->options->argv, (size_t)s->options->argc, s->options->command->name);
}

void session_redact_inputs(struct session *s)
{
    if (!s->options->redact && !s->options->skeleton)
        return;
    s->redactor = redactor_new();
    redact_inputs(s->redactor, s->run, s->options->skeleton);
}

static int load_paths(struct session *s, const struct options *o, const char *const *paths, size_t n,
                      struct load_options load)
{
    struct load_error error = {0};
    struct progress progress;

    confine(o);
    *s = (struct session){.options = o, .pool = pool_new(o->threads), .arena = arena_new()};
    progress_begin(&progress, "reading", !o->quiet);
    load.progress = &progress.done;
    load.expected = &progress.expected;
    s->run = load_run(paths, n, &load, s->pool, &error);
    progress_end(&progress);
    if (!s->run) {
        complain_about_path(&error);
        return EXIT_IO;
    }
    complain_about_failures(s->run);
    if (!run_has_records(s->run) && load.part)
        return EXIT_NOTHING; /* the message says what was asked for */
    return run_has_records(s->run) ? EXIT_DONE : nothing(s->run, paths[0], n);
}

int session_read(struct session *s, const struct options *o, const struct trace_options *trace)
{
    return load_paths(s, o, o->args, (size_t)o->args_n, (struct load_options){.trace = *trace, .unfinished = true});
}

/* What comes after reading and before the analyses; `rc` is the result of reading. */
static int prepare(struct session *s, const struct options *o, int rc)
{
    if (rc)
        return rc;
    s->command = o->argv;
    rc = use_labels(s);
    if (rc == EXIT_DONE)
        rc = use_source_root(s);
    if (rc)
        return rc;
    if (o->redact || o->skeleton)
        redact(s);
    return EXIT_DONE;
}

static int begin(struct session *s, const struct options *o, int rc)
{
    rc = prepare(s, o, rc);
    if (rc == EXIT_DONE)
        analyze(s->arena, s->run, session_output_pool(s), &s->answers);
    return rc;
}

int session_begin(struct session *s, const struct options *o, const char *const *paths, size_t n,
                  const struct trace_options *trace)
{
    return begin(s, o, load_paths(s, o, paths, n, (struct load_options){.trace = *trace, .latest = o->latest}));
}

int session_begin_report(struct session *s, const struct options *o, const char *const *paths, size_t n,
                         const struct trace_options *trace)
{
    struct load_options load = {.trace = *trace, .latest = o->latest};
    int rc = prepare(s, o, load_paths(s, o, paths, n, load));

    if (rc == EXIT_DONE) {
        kernel_store_begin(&s->kernels, s->run, session_output_pool(s));
        analyze(s->arena, s->run, session_output_pool(s), &s->answers);
    }
    return rc;
}

static bool run_has_compiles(const struct run *r)
{
    for (size_t i = 0; i < r->processes.n; i++)
        if (r->processes.v[i]->compiles.n)
            return true;
    return false;
}

int session_begin_gate(struct session *s, const struct options *o, const char *path, const struct trace_options *trace)
{
    int rc = session_begin(s, o, &path, 1, trace);
    bool notes = true;

    for (size_t i = 0; rc == EXIT_DONE && i < s->run->processes.n; i++)
        notes &= process_is_note(s->run->processes.v[i]);
    return rc == EXIT_DONE && notes && s->run->processes.n ? nothing(s->run, path, 1) : rc;
}

int session_begin_part(struct session *s, const struct options *o, const char *path, struct run_part *part)
{
    int rc = load_paths(s, o, &path, 1, (struct load_options){.latest = o->latest, .part = part});

    if (rc == EXIT_NOTHING || (rc == EXIT_DONE && !run_has_compiles(s->run))) {
        if (part->rank >= 0)
            complain("%s: nothing was compiled on rank %lld%s", path, (long long)part->rank,
                     part->epoch >= 0 ? " in that epoch" : "");
        else
            complain("%s: nothing was compiled in epoch %lld. An epoch ends with torch._dynamo.reset()", path,
                     (long long)part->epoch + 1);
        rc = EXIT_NOTHING;
    }
    return begin(s, o, rc);
}

int session_follow(struct session *s, const struct options *o, struct follow *follow)
{
    struct load_options load = {.follow = follow};
    struct load_error error;

    *s = (struct session){.options = o, .pool = pool_new(o->threads), .arena = arena_new(), .command = o->argv};
    s->run = load_run(o->args, (size_t)o->args_n, &load, s->pool, &error);
    if (!s->run || !run_has_records(s->run))
        return EXIT_NOTHING; /* it is gone, or not there yet */
    complain_about_failures(s->run);
    analyze(s->arena, s->run, s->pool, &s->answers);
    return EXIT_DONE;
}

struct about session_about(const struct session *s)
{
    const struct options *o = s->options;

    return (struct about){.command = s->command,
                          .command_n = (size_t)o->argc,
                          .title = o->title,
                          .note = o->note,
                          .for_agent = o->reader != NULL,
                          .source_root = o->source_root};
}

int session_write_map(const struct session *s)
{
    const char *path = s->options->redact_map;
    struct buf text = {0};
    struct outfile out;
    int rc;

    if (!path)
        return EXIT_DONE;
    rc = outfile_open(&out, path);
    if (rc == 0) {
        outfile_make_private(&out);
        redactor_write_map(s->redactor, &text);
        outfile_write(&out, buf_view(&text));
        rc = outfile_commit(&out);
        buf_free(&text);
    }
    if (rc)
        complain("%s: %s. --redact-map FILE chooses another place", path, strerror(-rc));
    return rc ? EXIT_IO : EXIT_DONE;
}

void session_end(struct session *s)
{
    kernel_store_free(&s->kernels, session_output_pool(s));
    run_free(s->run);
    redactor_free(s->redactor);
    arena_free(s->arena);
    pool_free(s->pool);
    pool_free(s->alone);
}

struct pool *session_output_pool(struct session *s)
{
    if (s->redactor && !s->alone)
        s->alone = pool_new(1);
    return s->redactor ? s->alone : s->pool;
}

int session_status(const struct session *s)
{
    if (input_failed(s->run))
        return EXIT_IO;
    if (s->options->strict && run_health(s->run).errors) {
        complain("--strict: %llu problems with the trace; report.json has them under \"messages\"",
                 (unsigned long long)run_health(s->run).errors);
        return EXIT_FOUND;
    }
    for (size_t i = 0; s->options->strict_compile_id && i < s->run->inputs.n; i++)
        if (s->run->inputs.v[i]->used && s->run->inputs.v[i]->messages.counts[MSG_NO_COMPILE_ID]) {
            complain("--strict-compile-id: %.*s has records without a compile id", STR_ARG(s->run->inputs.v[i]->path));
            return EXIT_FOUND;
        }
    return EXIT_DONE;
}

struct text session_text(const struct session *s)
{
    const char *when = s->options->color;
    int fd = s->options->text_fd;

    return (struct text){.arena = s->arena,
                         .width = text_width(fd),
                         .color = strcmp(when, "always") == 0 || (strcmp(when, "auto") == 0 && text_wants_color(fd)),
                         .terminal = isatty(fd) != 0,
                         .links = strcmp(when, "never") != 0 && text_wants_color(fd) && text_knows_links(),
                         .unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0};
}

int session_print(const struct session *s, struct text *t)
{
    int rc = write_all(s->options->text_fd, t->buf.p, t->buf.n);

    buf_free(&t->buf);
    /* Next to the output of a program that was run: the exit status is the program's, and the report is in its file. */
    if (rc == 0 || rc == -EPIPE || s->options->text_fd == STDERR_FILENO)
        return EXIT_DONE;
    complain("standard output: %s", strerror(-rc));
    return EXIT_IO;
}

int session_finish(struct session *s, int rc)
{
    if (rc == EXIT_DONE)
        rc = session_write_map(s);
    if (rc == EXIT_DONE)
        rc = session_status(s);
    session_end(s);
    return rc;
}

int session_summarize(const struct options *o, void (*write)(struct text *t, const struct answers *answers))
{
    struct trace_options trace = {.check_digests = o->verify};
    struct session s;
    int rc = session_begin(&s, o, o->args, (size_t)o->args_n, &trace);

    if (rc == EXIT_DONE) {
        struct text t = session_text(&s);

        if (!o->quiet)
            write(&t, &s.answers);
        rc = session_print(&s, &t);
    }
    return session_finish(&s, rc);
}
