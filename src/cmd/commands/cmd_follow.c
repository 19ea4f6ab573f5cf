#include "cmd/commands/cmd.h"
#include "cmd/complain.h"
#include "cmd/confine.h"
#include "cmd/facts.h"

#include "gate/watch.h"
#include "load/follow.h"
#include "output/report/report.h"
#include "util/system/clock.h"
#include "view/format.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*
 * The files are read as they grow (load/follow.h). Whenever there is something new, a forked copy of this process
 * finishes the model, prints what is new, and returns the keys of what it printed, which is all that must be kept. The
 * copy is confined like other commands; this process, which must fork, is not.
 */

/*
 * A look takes as long as the analyses do. By waiting PAUSE_SHARE times that long between looks, following uses little
 * of the machine.
 */
enum { PAUSE_MS = 500, PAUSE_SHARE = 4, PAGE_MS = 2000, COMPILING_SHOWN = 6, RELOAD_S = 3, LONG_S = 10 };

struct watcher {
    const struct options *options;
    struct follow *follow;
    struct arena *arena;
    struct map known;     /* keys of events that were printed */
    unsigned block_lines; /* lines on the terminal that the next look overwrites */
    bool terminal;        /* ... if the output is a terminal */
    bool apart;           /* runs next to a program that `run` launched */
    bool compiling;       /* the displayed age of a compile changes even if nothing is written */
    int64_t page_at_ms;   /* when the page was last written */
    bool page_is_old;
};

/* What a look returns, before the keys. */
struct look_result {
    uint32_t block_lines;
    bool compiling, page_written;
    int status;
};

static volatile sig_atomic_t ended;

static void on_end(int sig)
{
    ended = sig;
}

/* --- in the copy -------------------------------------------------------------------------------------------------- */

/* Writes it on one line. */
static void write_json(struct text *t, const json_t *o)
{
    char *line = json_text(o, JSON_COMPACT);

    buf_str(&t->buf, line ? str_of(line) : STR("{}"));
    buf_char(&t->buf, '\n');
    free(line);
}

/* Advice is printed once: it is the same for all compiles with one cause. */
static bool is_printed(struct watcher *w, struct str what, struct buf *keys)
{
    void **slot = map_at_copy(&w->known, what);
    bool known = *slot != NULL;

    *slot = w;
    if (!known) {
        buf_str(keys, what);
        buf_char(keys, '\0');
    }
    return known;
}

static void write_event(struct watcher *w, struct text *t, const json_t *event, struct buf *keys)
{
    struct str fix = watch_fix(t->arena, event), name = member_text(event, "event");
    bool bad = str_eq(name, STR("error")) || str_eq(name, STR("finding"));
    enum text_style style = bad ? TEXT_RED : str_eq(name, STR("compile")) ? TEXT_PLAIN : TEXT_YELLOW;

    text_paragraph(t, STR(""), TEXT_PLAIN, 2, style, watch_line(t->arena, event));
    if (fix.n && !is_printed(w, fix, keys))
        text_paragraph(t, STR("    "), TEXT_PLAIN, 4, TEXT_DIM, fix);
}

/* A process of this machine that no longer exists: its compile will never end. */
static void note_gone(json_t *compiling)
{
    json_t *o;
    size_t i;

    json_array_foreach(compiling, i, o)
    {
        int64_t pid = member_number(o, "pid");
        char path[40];

        snprintf(path, sizeof path, "/proc/%lld", (long long)pid);
        json_put(o, "gone", json_boolean(pid > 0 && access("/proc/self", F_OK) == 0 && access(path, F_OK) != 0));
    }
}

static struct str count_of(struct text *t, const json_t *state, const char *member, const char *one)
{
    struct str many = arena_printf(t->arena, "%ss", one);
    int64_t n = member_number(state, member);

    return format_counted(t->arena, n > 0 ? (uint64_t)n : 0, one, many.p);
}

static void write_state(struct text *t, const json_t *state)
{
    json_t *list = json_object_get(state, "compiling"), *o;
    struct str counts;
    size_t i;

    json_array_foreach(list, i, o)
    {
        if (i == COMPILING_SHOWN) {
            text_printf(t, TEXT_DIM, "and %zu more compiles", json_array_size(list) - i);
            text_newline(t);
            break;
        }
        text_paragraph(t, STR(""), TEXT_PLAIN, 2, TEXT_BOLD, watch_compiling_line(t->arena, o));
    }
    json_array_foreach(json_object_get(state, "silent"), i, o)
        text_paragraph(t, STR(""), TEXT_PLAIN, 2, TEXT_YELLOW, watch_silent_line(t->arena, o));
    counts = arena_printf(t->arena, "%.*s, %.*s, %.*s, %.*s so far", STR_ARG(count_of(t, state, "compiles", "compile")),
                          STR_ARG(count_of(t, state, "graph_breaks", "graph break")),
                          STR_ARG(count_of(t, state, "recompiles", "recompile")),
                          STR_ARG(count_of(t, state, "errors", "error")));
    text_paragraph(t, STR(""), TEXT_PLAIN, 2, TEXT_DIM, counts);
}

/* Without a terminal: a compile is reported after 10, 20, 40 s and so on, a silent process once. */
static void write_news(struct watcher *w, struct text *t, const json_t *state, struct buf *keys)
{
    json_t *o;
    size_t i;

    json_array_foreach(json_object_get(state, "compiling"), i, o)
    {
        double seconds = json_number_value(json_object_get(o, "seconds"));
        unsigned doublings = 0;

        for (double s = LONG_S; s <= seconds; s *= 2)
            doublings++;
        if (doublings && !is_printed(w, watch_key(t->arena, o, "long", doublings), keys))
            text_paragraph(t, STR(""), TEXT_PLAIN, 2, TEXT_BOLD, watch_compiling_line(t->arena, o));
    }
    json_array_foreach(json_object_get(state, "silent"), i, o)
    {
        if (!is_printed(w, watch_key(t->arena, o, "silent", 0), keys))
            text_paragraph(t, STR(""), TEXT_PLAIN, 2, TEXT_YELLOW, watch_silent_line(t->arena, o));
    }
}

static unsigned lines_of(struct str s)
{
    unsigned n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == '\n';
    return n;
}

static bool write_page(const struct watcher *w, struct session *s)
{
    const struct options *o = w->options;
    struct report_options options = {.dir = o->html,
                                     .replace = true,
                                     .kernels = &s->kernels,
                                     .html = {.max_bytes = o->max_html_bytes,
                                              .reload_s = ended || o->once ? 0 : RELOAD_S,
                                              .about = session_about(s)}};
    struct report_result result;
    int rc = report_write(s->arena, &s->answers, &options, session_output_pool(s), &result);

    if (rc)
        complain("%s: %s. No page was written; --html DIR chooses another place", o->html, strerror(-rc));
    return rc == 0;
}

static void write_look(struct watcher *w, struct text *t, json_t *events, const json_t *state,
                       struct look_result *result, struct buf *keys)
{
    json_t *event;
    size_t i, before;

    if (w->block_lines)
        buf_printf(&t->buf, "\x1b[%uA\x1b[J", w->block_lines);
    json_array_foreach(events, i, event)
    {
        if (w->options->json)
            write_json(t, event);
        else
            write_event(w, t, event, keys);
        buf_str(keys, member_text(event, "key"));
        buf_char(keys, '\0');
    }
    before = t->buf.n;
    if (w->options->json)
        write_json(t, state);
    else if (w->terminal || w->options->once || ended)
        write_state(t, state);
    else
        write_news(w, t, state, keys);
    if (w->terminal)
        result->block_lines = lines_of(str_skip(buf_view(&t->buf), before));
    result->compiling = json_array_size(json_object_get(state, "compiling")) > 0;
}

static int look(struct watcher *w, struct look_result *result, struct buf *keys, bool page)
{
    const struct options *o = w->options;
    struct session s;
    struct snapshot facts = {0};
    int rc;
    json_t *events, *state;
    struct text t;

    confine(o);
    rc = session_follow(&s, o, w->follow);
    if (rc != EXIT_DONE || facts_of_session(&s, &facts) != EXIT_DONE)
        return rc ? rc : EXIT_IO;
    events = watch_events(s.arena, s.run, &facts, &w->known);
    state = watch_state(s.arena, s.run, &s.answers, clock_now_us());
    note_gone(json_object_get(state, "compiling"));
    t = session_text(&s);
    write_look(w, &t, events, state, result, keys);
    rc = o->quiet ? EXIT_DONE : session_print(&s, &t);
    if (rc == EXIT_DONE && page) {
        result->page_written = write_page(w, &s);
        rc = result->page_written ? rc : EXIT_IO;
    }
    return rc;
}

/* --- in this process ---------------------------------------------------------------------------------------------- */

static void run_copy(struct watcher *w, int to, bool page)
{
    struct look_result result = {.block_lines = 0};
    struct buf out = {0};

    signal(SIGINT, SIG_IGN); /* a terminal sends it to both processes; the parent decides */
    buf_add(&out, &result, sizeof result);
    result.status = look(w, &result, &out, page);
    memcpy(out.p, &result, sizeof result);
    write_all(to, out.p, out.n);
    _exit(0);
}

/* Takes what a copy returned. Its keys are known from now on. */
static int take_result(struct watcher *w, const struct buf *b)
{
    struct look_result result;
    struct str keys = str_skip(buf_view(b), sizeof result);

    if (b->n < sizeof result) {
        complain("the records read so far could not be analyzed: the process for it ended");
        return EXIT_IO;
    }
    memcpy(&result, b->p, sizeof result);
    while (keys.n)
        *map_at_copy(&w->known, str_split(&keys, '\0')) = w;
    w->block_lines = result.block_lines;
    w->compiling = result.compiling;
    if (result.page_written) {
        w->page_at_ms = clock_ms();
        w->page_is_old = false;
    }
    return result.status;
}

static int look_in_copy(struct watcher *w, bool page)
{
    struct buf b = {0};
    int ends[2], rc = EXIT_IO;
    pid_t child;
    ssize_t k;

    child = pipe(ends) == 0 ? fork() : -1;
    if (child == 0) {
        close(ends[0]);
        run_copy(w, ends[1], page);
    }
    if (child < 0) {
        complain("starting a process to analyze the records: %s", strerror(errno));
        return EXIT_IO;
    }
    close(ends[1]);
    while ((k = read(ends[0], buf_room(&b, 65536), 65536)) > 0 || (k < 0 && errno == EINTR))
        buf_added(&b, k > 0 ? (size_t)k : 0);
    close(ends[0]);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    rc = take_result(w, &b);
    buf_free(&b);
    return rc;
}

static void handle_ends(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction sa = {.sa_handler = on_end};

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &sa, NULL);
}

static void pause_ms(int64_t ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};

    if (!ended)
        nanosleep(&t, NULL);
}

static void say_waiting(const struct watcher *w, const struct follow_look *seen)
{
    if (!w->options->quiet && !w->apart)
        complain("%s: %s; waiting. TORCH_TRACE=%s makes a program write its trace there", w->options->args[0],
                 seen->error == -ENOENT ? "not there yet" : "no trace in it yet", w->options->args[0]);
}

/* Nothing can be read yet. Returns EXIT_DONE to keep waiting. */
static int without_trace(const struct watcher *w, const struct follow_look *seen, bool first)
{
    if (seen->error && (seen->error != -ENOENT || w->options->once)) {
        complain("%s: %s", seen->path, strerror(-seen->error));
        return EXIT_IO;
    }
    if (w->options->once) {
        complain("%s: no trace and no log found", w->options->args[0]);
        return EXIT_NOTHING;
    }
    if (first)
        say_waiting(w, seen);
    return EXIT_DONE;
}

static void say_restarted(const struct follow_look *seen)
{
    if (seen->restarted.n)
        complain("%.*s: truncated, replaced or rewritten; reading it again from the beginning",
                 STR_ARG(seen->restarted));
}

/* Whether to write the page: rarely, because that reads payloads, and at the end. */
static bool page_is_due(const struct watcher *w)
{
    return w->options->html && (ended || w->options->once || (w->page_is_old && clock_ms() - w->page_at_ms >= PAGE_MS));
}

static int watch(struct watcher *w)
{
    int rc = EXIT_DONE;
    bool began = false;

    for (bool first = true; rc == EXIT_DONE; first = false) {
        bool last = ended || w->options->once;
        struct follow_look seen = follow_look(w->follow);
        int64_t from = clock_ms();

        say_restarted(&seen);
        w->page_is_old |= seen.changed;
        if (seen.error || seen.files == 0)
            rc = without_trace(w, &seen, first);
        else if (seen.changed || w->compiling || last || page_is_due(w)) {
            rc = look_in_copy(w, page_is_due(w));
            if (rc == EXIT_NOTHING)
                rc = without_trace(w, &seen, first); /* files that are not traces, or not yet */
            else
                began = true;
        }
        if (last)
            break;
        pause_ms(PAUSE_MS + PAUSE_SHARE * (clock_ms() - from));
    }
    return rc == EXIT_DONE && !began && !ended ? EXIT_NOTHING : rc;
}

static int check_output(const struct options *o)
{
    struct options of_page = *o;

    if (!o->html)
        return EXIT_DONE;
    of_page.output = o->html;
    return report_check_output(&of_page);
}

static int follow_paths(const struct options *o, bool terminal, bool apart)
{
    struct watcher w = {.options = o, .arena = arena_new(), .terminal = terminal, .apart = apart};
    int rc;

    map_init(&w.known, w.arena);
    w.follow = follow_new(o->args, (size_t)o->args_n);
    handle_ends();
    rc = watch(&w);
    follow_free(w.follow);
    arena_free(w.arena);
    return rc;
}

int cmd_follow(const struct options *o)
{
    int rc = check_output(o);

    return rc ? rc : follow_paths(o, isatty(o->text_fd) && !o->json && !o->quiet && !o->once, false);
}

pid_t follow_apart(const struct options *o, const char *path)
{
    pid_t child = fork();

    if (child == 0) {
        struct options of_child = *o;
        const char *args[] = {path};
        sigset_t none;

        of_child.args = args;
        of_child.args_n = 1;
        of_child.quiet = false;
        of_child.text_fd = STDERR_FILENO; /* standard output belongs to the program */
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        follow_paths(&of_child, false, true);
        _exit(0);
    }
    return child;
}

void follow_apart_end(pid_t child)
{
    if (child <= 0)
        return;
    kill(child, SIGTERM);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
}
