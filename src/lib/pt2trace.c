#include "lib/pt2trace.h"

#include "analysis/analyze.h"
#include "gate/snapshot.h"
#include "load/load.h"
#include "output/report/report_json.h"
#include "output/tables/sqlite_tables.h"
#include "redact/redact_run.h"
#include "util/mem.h"

#include <stdlib.h>
#include <string.h>

/* Facts from a report.json come without a run and answers. */
struct pt2trace {
    struct arena *arena;
    struct run *run;
    struct answers answers;
    struct redactor *redactor;
    struct snapshot facts;
    struct database *tables; /* made for the first query */
    struct str error;        /* empty if there is none */
};

static const size_t report_bytes_max = (size_t)4 << 30;

const char *pt2trace_version(void)
{
    return PT2TRACE_VERSION;
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

static struct view view_of(const struct pt2trace *t)
{
    return (struct view){.answers = &t->answers, .run = t->run, .scratch = arena_new()};
}

/* Takes the facts from the report that would be written. */
static void take_facts(struct pt2trace *t)
{
    static const char *const command[] = {"libpt2trace"};
    struct about about = {.command = command, .command_n = 1};
    struct view v = view_of(t);
    struct buf text = {0};
    struct sink sink = sink_to_buf(&text);

    report_json_write(&sink, &v, &about);
    snapshot_read(&t->facts, t->arena, buf_view(&text), &t->error);
    buf_free(&text);
    arena_free(v.scratch);
}

static void read_report(struct pt2trace *t, const char *path)
{
    struct buf text = {0};
    struct str why = STR("");
    int rc = read_file(path, report_bytes_max, &text);

    if (rc)
        why = str_of(strerror(-rc));
    else
        snapshot_read(&t->facts, t->arena, buf_view(&text), &why);
    if (why.n)
        t->error = arena_printf(t->arena, "%s: %.*s", path, STR_ARG(why));
    buf_free(&text);
}

/* Why nothing that was found can be used: the first reason, which for a single file is its own. */
static struct str nothing_used(struct pt2trace *t, const char *path)
{
    for (size_t i = 0; i < t->run->inputs.n; i++) {
        const struct input *in = t->run->inputs.v[i];

        if (in->why_not.n)
            return arena_printf(t->arena, "%.*s: %.*s", STR_ARG(in->path), STR_ARG(in->why_not));
    }
    return arena_printf(t->arena, "%s: neither a trace nor a log in it", path);
}

static void read_traces(struct pt2trace *t, const char *const *paths, size_t n, unsigned flags)
{
    struct load_options load = {.trace.check_digests = (flags & PT2TRACE_VERIFY) != 0,
                                .latest = (flags & PT2TRACE_LATEST) != 0};
    struct load_error error = {0};
    struct pool *readers = pool_new(pool_default_threads());

    t->run = load_run(paths, n, &load, readers, &error);
    pool_free(readers);
    if (!t->run) {
        t->error = arena_printf(t->arena, "%s: %s", error.path, strerror(error.error));
        return;
    }
    if (!run_has_records(t->run)) {
        t->error = nothing_used(t, paths[0]);
        return;
    }
    if (flags & PT2TRACE_REDACT) {
        t->redactor = redactor_new();
        redact_run(t->redactor, t->run, false);
    }
    analyze(t->arena, t->run, NULL, &t->answers);
    take_facts(t);
}

struct pt2trace *pt2trace_open(const char *const *paths, size_t n, unsigned flags)
{
    struct pt2trace *t = xcalloc(1, sizeof *t);

    t->arena = arena_new();
    if (n == 0)
        t->error = STR("no path was given");
    else if (n == 1 && !(flags & PT2TRACE_REDACT) && snapshot_is_report(paths[0]))
        read_report(t, paths[0]);
    else
        read_traces(t, paths, n, flags);
    return t;
}

void pt2trace_close(struct pt2trace *t)
{
    if (!t)
        return;
    database_close(t->tables);
    snapshot_free(&t->facts);
    run_free(t->run);
    redactor_free(t->redactor);
    arena_free(t->arena);
    free(t);
}

const char *pt2trace_error(const struct pt2trace *t)
{
    return t->error.n ? t->error.p : NULL;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

static const json_t *json_of(const struct pt2trace_value *v)
{
    return (const json_t *)v;
}

static const struct pt2trace_value *value_of(const json_t *v)
{
    return (const struct pt2trace_value *)v;
}

static const json_t *child_of(const json_t *v, struct str name)
{
    char key[256]; /* no key of the report is this long */
    uint64_t i;

    if (json_is_object(v) && str_terminate(name, key, sizeof key))
        return json_object_get(v, key);
    return json_is_array(v) && str_u64(name, &i) && i < json_array_size(v) ? json_array_get(v, (size_t)i) : NULL;
}

const struct pt2trace_value *pt2trace_member(const struct pt2trace_value *v, const char *path)
{
    const json_t *at = json_of(v);
    struct str rest = str_of(path ? path : "");

    while (at && rest.n)
        at = child_of(at, str_split(&rest, '.'));
    return value_of(at);
}

const struct pt2trace_value *pt2trace_get(const struct pt2trace *t, const char *path)
{
    return pt2trace_member(value_of(t->facts.root), path);
}

enum pt2trace_type pt2trace_type(const struct pt2trace_value *v)
{
    if (!v)
        return PT2TRACE_MISSING;
    switch (json_typeof(json_of(v))) {
    case JSON_OBJECT:
        return PT2TRACE_OBJECT;
    case JSON_ARRAY:
        return PT2TRACE_LIST;
    case JSON_STRING:
        return PT2TRACE_TEXT;
    case JSON_INTEGER:
        return PT2TRACE_INTEGER;
    case JSON_REAL:
        return PT2TRACE_REAL;
    case JSON_TRUE:
    case JSON_FALSE:
        return PT2TRACE_BOOL;
    case JSON_NULL:
        break;
    }
    return PT2TRACE_NULL;
}

size_t pt2trace_size(const struct pt2trace_value *v)
{
    const json_t *j = json_of(v);

    return json_is_object(j) ? json_object_size(j) : json_array_size(j);
}

/* The i-th member of an object, in the order of the report. */
static void *member_at(const json_t *object, size_t i)
{
    json_t *o = (json_t *)(uintptr_t)object; /* jansson's iterators are not for const objects */
    void *at = i < json_object_size(o) ? json_object_iter(o) : NULL;

    for (; at && i > 0; i--)
        at = json_object_iter_next(o, at);
    return at;
}

const struct pt2trace_value *pt2trace_at(const struct pt2trace_value *v, size_t i)
{
    void *at;

    if (!json_is_object(json_of(v)))
        return value_of(json_array_get(json_of(v), i));
    at = member_at(json_of(v), i);
    return at ? value_of(json_object_iter_value(at)) : NULL;
}

const char *pt2trace_key(const struct pt2trace_value *v, size_t i)
{
    void *at = json_is_object(json_of(v)) ? member_at(json_of(v), i) : NULL;

    return at ? json_object_iter_key(at) : "";
}

const char *pt2trace_text(const struct pt2trace_value *v)
{
    const char *s = json_string_value(json_of(v));

    return s ? s : "";
}

int64_t pt2trace_integer(const struct pt2trace_value *v, int64_t otherwise)
{
    return json_is_integer(json_of(v)) ? (int64_t)json_integer_value(json_of(v)) : otherwise;
}

double pt2trace_real(const struct pt2trace_value *v, double otherwise)
{
    return json_is_number(json_of(v)) ? json_number_value(json_of(v)) : otherwise;
}

int pt2trace_bool(const struct pt2trace_value *v, int otherwise)
{
    return json_is_boolean(json_of(v)) ? json_is_true(json_of(v)) : otherwise;
}

char *pt2trace_json(const struct pt2trace_value *v)
{
    return v ? json_text(json_of(v), JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(17)) : NULL;
}

void pt2trace_free(char *json)
{
    free(json);
}

/* --- SQL ---------------------------------------------------------------------------------------------------------- */

static bool make_tables(struct pt2trace *t)
{
    struct view v = view_of(t);
    bool good;

    t->tables = database_open(t->arena, ":memory:", &t->error);
    good = t->tables && database_run(t->tables, "BEGIN") && sqlite_tables_fill(t->tables, &v) &&
           database_run(t->tables, "COMMIT");
    if (t->tables && !good) {
        t->error = arena_printf(t->arena, "%s", database_error(t->tables));
        database_close(t->tables);
        t->tables = NULL;
    }
    arena_free(v.scratch);
    return good;
}

struct taker {
    int (*row)(void *object, const struct pt2trace_value *row);
    void *object;
};

static bool take_row(void *object, const json_t *row)
{
    const struct taker *taker = object;

    return taker->row(taker->object, value_of(row)) != 0;
}

int pt2trace_query(struct pt2trace *t, const char *sql, int (*row)(void *object, const struct pt2trace_value *row),
                   void *object)
{
    struct taker taker = {row, object};

    t->error = STR("");
    if (!t->run || !t->facts.root)
        t->error = STR("tables are made of traces and logs, not of a report.json: open what it was made from");
    else if ((t->tables || make_tables(t)) && !database_each(t->tables, sql, take_row, &taker))
        t->error = arena_printf(t->arena, "%s", database_error(t->tables));
    return t->error.n ? -1 : 0;
}
