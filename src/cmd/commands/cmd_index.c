#include "analysis/analyze.h"
#include "cmd/commands/cmd.h"
#include "cmd/complain.h"
#include "cmd/confine.h"
#include "cmd/session.h"

#include "input/discover.h"
#include "output/files/manifest.h"
#include "output/index/index_page.h"
#include "util/map.h"
#include "view/format.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* What to index: sources in the order in which they were found. */
struct sources {
    struct arena *a;
    struct map by_path; /* path -> struct index_source */
};

/*
 * The source that a file belongs to. Files directly in a directory form one source, and so does each of its folders;
 * but what `pt2trace run` wrote (`whole`) is one source. A file that was named is a source itself.
 */
static struct str source_path(struct str given, const struct found_file *f, bool whole)
{
    struct str rest = str_skip(f->path, given.n);
    ptrdiff_t slash;

    if (f->named || !str_starts(f->path, given))
        return f->path;
    if (whole)
        return given;
    while (str_consume(&rest, STR("/")))
        ;
    slash = str_chr(rest, '/');
    return slash < 0 ? given : str_take(f->path, (size_t)(rest.p + slash - f->path.p));
}

static void add_file(struct sources *s, struct str given, const struct found_file *f, bool whole)
{
    char *full = realpath(arena_str(s->a, source_path(given, f, whole)).p, NULL);
    struct index_source *source;
    struct stat st;
    void **slot;

    if (full && stat(f->path.p, &st) == 0 && S_ISREG(st.st_mode)) {
        slot = map_at(&s->by_path, arena_str(s->a, str_of(full)));
        if (!*slot)
            *slot = ARENA_NEW(s->a, struct index_source);
        source = *slot;
        source->path = arena_str(s->a, str_of(full));
        *vec_add(s->a, &source->files) =
            (struct index_file){f->path, (uint64_t)st.st_size, st.st_mtim.tv_sec * 1000000000ll + st.st_mtim.tv_nsec};
    }
    free(full);
}

static int find_sources(struct sources *s, const char *path)
{
    struct found_files found;
    bool whole = access(arena_printf(s->a, "%s/run.json", path).p, F_OK) == 0;
    int rc;

    found_files_init(&found, s->a);
    rc = discover(&found, path);
    if (rc)
        complain("%s: %s", path, strerror(-rc));
    vec_each(struct found_file, f, &found.list) if (f->why_not.n == 0 && f->error == 0)
        add_file(s, str_of(path), f, whole);
    return rc ? EXIT_IO : EXIT_DONE;
}

/* --- one source --------------------------------------------------------------------------------------------------- */

static const char **paths_of(struct arena *a, const struct index_source *source)
{
    const char **paths = ARENA_ARRAY(a, const char *, source->files.n);

    for (size_t i = 0; i < source->files.n; i++)
        paths[i] = source->files.v[i].path.p;
    return paths;
}

/*
 * Reads run number `group` of a source and adds it; *groups is then the number of runs, or `group` if the source has
 * disappeared. False if the database failed.
 */
static bool add_run(struct session *s, struct database *d, const struct index_source *source, uint32_t group,
                    uint32_t *groups)
{
    struct arena *a = arena_new();
    struct load_error error;
    struct load_options load = {.groups = groups};
    struct run *run;
    bool good = true;

    *groups = group;
    run = load_run(paths_of(a, source), source->files.n, &load, s->pool, &error);
    if (run && run_has_records(run)) {
        struct answers answers;
        struct view v = {.answers = &answers, .run = run, .scratch = arena_new()};

        analyze(a, run, s->pool, &answers);
        good = index_add_run(d, source, group, &v);
        arena_free(v.scratch);
    }
    run_free(run);
    arena_free(a);
    return good;
}

/* Counts of what was done with sources. */
struct done {
    size_t runs, known, copies;
};

static struct index_words words_of(const struct options *o)
{
    return (struct index_words){.commit = o->commit, .host = o->host, .label = o->label};
}

static bool index_source(struct session *s, struct database *d, const struct index_source *source, struct done *done)
{
    struct index_words words = words_of(s->options);
    uint32_t groups = 1;
    bool copy = false, good = index_begin(d, source) && index_note_copy(d, source, &copy);

    done->copies += copy;
    for (uint32_t group = 0; group < groups && good && !copy; group++) {
        good = add_run(s, d, source, group, &groups);
        done->runs += good && group < groups;
    }
    return good && index_describe(d, source, &words) && index_commit(d);
}

static int say_done(struct session *s, const struct done *done, size_t places)
{
    struct text t = session_text(s);

    text_printf(&t, TEXT_PLAIN, "Indexed   %zu runs from %zu places; %zu had not changed", done->runs,
                places - done->known, done->known);
    if (done->copies)
        text_printf(&t, TEXT_PLAIN, "; %zu %s a copy of another, and not counted again", done->copies,
                    done->copies == 1 ? "is" : "are each");
    text_newline(&t);
    return session_print(s, &t);
}

static int index_sources(struct session *s, struct database *d, const struct sources *sources)
{
    struct index_words words = words_of(s->options);
    struct done done = {0};

    for (size_t i = 0; i < sources->by_path.n; i++) {
        const struct index_source *source = sources->by_path.entries[i].value;

        if (index_is_known(d, source) && index_describe(d, source, &words))
            done.known++;
        else if (!index_source(s, d, source, &done)) {
            complain("%s: %s. The runs indexed before %.*s are kept; run it again to continue", s->options->args[0],
                     database_error(d), STR_ARG(source->path));
            return EXIT_IO;
        }
    }
    return s->options->quiet ? EXIT_DONE : say_done(s, &done, sources->by_path.n);
}

/* --- removing runs ------------------------------------------------------------------------------------------------ */

/* The form in which sources are named: an absolute path, with links resolved while the path exists. */
static struct str path_in_index(struct arena *a, const char *given)
{
    char *full = realpath(given, NULL), *here = full || *given == '/' ? NULL : getcwd(NULL, 0);
    struct str path = arena_str(a, str_of(full ? full : given));

    if (here)
        path = arena_printf(a, "%s/%s", here, given);
    while (path.n > 1 && path.p[path.n - 1] == '/')
        path = arena_str(a, str_take(path, path.n - 1));
    free(full);
    free(here);
    return path;
}

static int remove_runs(struct session *s, struct database *d)
{
    const struct options *o = s->options;
    struct text t = session_text(s);
    int64_t runs = 0, n;
    size_t places = 0;

    for (int i = 1; i < o->args_n; i++) {
        n = index_remove(d, path_in_index(s->arena, o->args[i]), &places);
        if (n < 0) {
            complain("%s: %s. The runs of %s are still in it", o->args[0], database_error(d), o->args[i]);
            return EXIT_IO;
        }
        if (places == 0) {
            complain("%s: it has no run from %s. SELECT path FROM sources lists the paths", o->args[0], o->args[i]);
            return EXIT_IO;
        }
        runs += n;
    }
    if (o->quiet)
        return EXIT_DONE;
    text_printf(&t, TEXT_PLAIN, "Removed   %lld run%s from the database; their files stay", (long long)runs,
                runs == 1 ? "" : "s");
    text_newline(&t);
    return session_print(s, &t);
}

/* --- the page ----------------------------------------------------------------------------------------------------- */

static int write_page(struct session *s, struct database *d)
{
    struct manifest m;
    struct outfile out;
    struct sink sink;
    int rc = manifest_begin(&m, s->options->output, true, s->arena);
    bool good = true;

    if (rc == 0)
        rc = manifest_create(&m, STR("index.html"), &out);
    if (rc == 0) {
        sink = sink_to_outfile(&out);
        good = index_page_write(&sink, d, str_of(s->options->title ? s->options->title : "Runs"));
        rc = manifest_complete(&m, STR("index.html"), &out);
    }
    if (rc == 0 && good)
        rc = manifest_finish(&m);
    else
        manifest_abort(&m);
    if (!good)
        complain("%s: %s", s->options->args[0], database_error(d));
    else if (rc)
        complain("%s: %s. No page was written; -o OUTDIR chooses another place", s->options->output, strerror(-rc));
    return rc || !good ? EXIT_IO : EXIT_DONE;
}

/* Compares the newest run of each program with the previous one: what changed, starting with possible causes. */
static int gate(struct session *s, struct database *d)
{
    json_t *rows = index_regressions(d, true), *x;
    struct text t = session_text(s);
    size_t i, worse = 0;
    int rc;

    if (!rows) {
        complain("%s: %s", s->options->args[0], database_error(d));
        return EXIT_IO;
    }
    json_array_foreach(rows, i, x)
    {
        struct str line = index_regression_line(s->arena, x);

        worse += index_is_regression(x);
        text_paragraph(&t, STR(""), TEXT_PLAIN, 2, index_is_regression(x) ? TEXT_RED : TEXT_PLAIN, line);
    }
    text_printf(&t, TEXT_BOLD, "%.*s in the newest runs",
                STR_ARG(format_counted(s->arena, worse, "regression", "regressions")));
    text_newline(&t);
    json_decref(rows);
    rc = s->options->quiet ? EXIT_DONE : session_print(s, &t);
    return rc ? rc : worse ? EXIT_FOUND : EXIT_DONE;
}

/* Mentions a path without any run, because it may be a mistake. */
static int say_empty(struct session *s, struct database *d)
{
    const struct options *o = s->options;
    int rc = EXIT_DONE;

    for (int i = 1; i < o->args_n; i++)
        if (access(o->args[i], F_OK) == 0 && index_places(d, path_in_index(s->arena, o->args[i])) == 0) {
            complain("%s: no trace and no log found", o->args[i]);
            rc = EXIT_NOTHING;
        }
    return rc;
}

static int use_database(struct session *s, struct database *d)
{
    const struct options *o = s->options;
    struct sources sources = {.a = s->arena};
    int rc = EXIT_DONE, found = EXIT_DONE;

    map_init(&sources.by_path, s->arena);
    for (int i = 1; i < o->args_n && !o->remove; i++) {
        int one = find_sources(&sources, o->args[i]);

        found = one ? one : found;
    }
    if (o->args_n > 1)
        rc = o->remove ? remove_runs(s, d) : index_sources(s, d, &sources);
    if (rc == EXIT_DONE && found == EXIT_DONE && o->args_n > 1 && !o->remove)
        found = say_empty(s, d);
    if (rc == EXIT_DONE && o->report)
        rc = write_page(s, d);
    if (rc == EXIT_DONE && o->gate && found == EXIT_DONE)
        rc = gate(s, d);
    return rc ? rc : found;
}

/* Whether no given path exists: then no database is created. */
static bool is_in_vain(const struct options *o)
{
    if (o->args_n < 2 || access(o->args[0], F_OK) == 0)
        return false;
    for (int i = 1; i < o->args_n; i++)
        if (access(o->args[i], F_OK) == 0)
            return false;
    complain("%s: %s", o->args[1], strerror(ENOENT));
    return true;
}

int cmd_index(const struct options *o)
{
    struct session s = {.options = o};
    struct str error = {0};
    struct database *d;
    int rc = o->report ? report_check_output(o) : EXIT_DONE;

    if (rc)
        return rc;
    if (is_in_vain(o))
        return EXIT_IO;
    confine(o);
    s.pool = pool_new(o->threads);
    s.arena = arena_new();
    d = index_open(s.arena, o->args[0], &error);
    if (!d)
        complain("%s: %.*s", o->args[0], STR_ARG(error));
    rc = d ? use_database(&s, d) : EXIT_IO;
    database_close(d);
    session_end(&s);
    return rc;
}
