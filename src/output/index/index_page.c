#include "output/index/index_page.h"

#include "output/html/assets.h"
#include "util/formats/json.h"
#include "util/map.h"
#include "util/number.h"
#include "view/format.h"

#include <assert.h>
#include <stdlib.h>

/*
 * Limits, because a page is for people: the newest runs of each program, and regressions over all programs. If there
 * are more than PROGRAMS_OPEN programs, their lists of runs are collapsed: the charts show which to open.
 */
enum { RUNS_MAX = 60, PROGRAMS_MAX = 200, PROGRAMS_OPEN = 3, REGRESSIONS_MAX = 500 };

enum { CHART_HEIGHT = 60, BAR_WIDTH = 8 };

/*
 * Each run with the first run that it is compared with, directly or through runs in between: these form one program,
 * as far as is known. A table, because a view that is queried repeatedly would be computed each time.
 */
static const char chains_sql[] =
    "DROP TABLE IF EXISTS temp.pairs; CREATE TEMP TABLE pairs AS SELECT run, before FROM run_pairs;"
    "CREATE INDEX temp.pairs_before ON pairs (before);"
    "DROP TABLE IF EXISTS temp.chains; CREATE TEMP TABLE chains AS WITH RECURSIVE chain(run, root) AS"
    " (SELECT run, run FROM pairs WHERE before IS NULL UNION ALL"
    "  SELECT p.run, c.root FROM chain c JOIN pairs p ON p.before = c.run) SELECT run, root FROM chain;"
    "CREATE INDEX temp.chains_root ON chains (root); CREATE INDEX temp.chains_run ON chains (run)";

/*
 * What changed, and what got worse, from one run of a program to the next: kind, what, before and after, file and
 * line. Each part is a query over pairs of runs; a place is identified by its function, because lines move. Weight 0
 * is not a regression, but may be the cause of some, and comes first. ?2: only runs without a later run.
 */
static const char regressions_sql[] =
    "WITH p AS (SELECT run, before FROM temp.pairs WHERE before IS NOT NULL"
    "  AND (?2 = 0 OR run NOT IN (SELECT before FROM temp.pairs WHERE before IS NOT NULL))) "
    "SELECT r.program, r.id AS run, r.started, r.commit_id, r.label, (SELECT group_concat(function, ', ') FROM"
    " (SELECT function FROM functions WHERE run = r.id ORDER BY function LIMIT 2)) AS functions, x.* FROM ("
    " SELECT p.run AS of, 0 AS weight, 'PyTorch' AS kind, 'another version' AS what, b.pytorch AS was,"
    "  a.pytorch AS now, NULL AS file, NULL AS line, 1 AS places FROM p JOIN runs a ON a.id = p.run JOIN runs b ON "
    "b.id = p.before"
    "  WHERE a.pytorch IS NOT b.pytorch"
    " UNION ALL"
    " SELECT p.run, 0, 'GPU', 'another one', b.gpu, a.gpu, NULL, NULL, 1 FROM p JOIN runs a ON a.id = p.run"
    "  JOIN runs b ON b.id = p.before WHERE a.gpu IS NOT b.gpu"
    " UNION ALL"
    " SELECT p.run, 0, 'host', 'another one', b.host, a.host, NULL, NULL, 1 FROM p JOIN runs a ON a.id = p.run"
    "  JOIN runs b ON b.id = p.before WHERE a.host IS NOT b.host"
    " UNION ALL"
    " SELECT p.run, 0, 'workload', 'command', b.command, a.command, NULL, NULL, 1 FROM p JOIN runs a ON a.id = p.run"
    "  JOIN runs b ON b.id = p.before WHERE a.command <> b.command"
    " UNION ALL"
    " SELECT p.run, 0, 'settings', 'set by the user', coalesce(b.settings, 'none'), coalesce(a.settings, 'none'), NULL,"
    "  NULL, 1 FROM p JOIN runs a ON a.id = p.run JOIN runs b ON b.id = p.before WHERE a.settings IS NOT b.settings"
    " UNION ALL"
    " SELECT p.run, 0, 'workload', 'ranks', b.ranks, a.ranks, NULL, NULL, 1 FROM p JOIN runs a ON a.id = p.run"
    "  JOIN runs b ON b.id = p.before WHERE a.ranks IS NOT b.ranks"
    " UNION ALL"
    " SELECT p.run, 0, 'workload', 'functions compiled', b.functions, a.functions, NULL, NULL, 1 FROM p"
    "  JOIN runs a ON a.id = p.run JOIN runs b ON b.id = p.before WHERE a.functions <> b.functions"
    " UNION ALL"
    " SELECT p.run, 1, 'error', coalesce(e.type, e.category) AS what, 0,"
    "  count(*), e.file, e.line, count(DISTINCT coalesce(e.file, '') || ':' || coalesce(e.line, '')) FROM p JOIN "
    "errors e ON e.in_run = p.run"
    "  WHERE NOT EXISTS (SELECT 1 FROM errors b WHERE b.in_run = p.before AND b.type IS e.type"
    "   AND b.category IS e.category AND b.file IS e.file) GROUP BY p.run, what"
    " UNION ALL"
    " SELECT p.run, 2, 'graph break', g.type, 0, sum(g.count), g.file, min(g.line),"
    "  count(DISTINCT g.file || ':' || g.line) FROM p JOIN graph_breaks g ON g.in_run = p.run WHERE NOT EXISTS (SELECT "
    "1 FROM graph_breaks b WHERE b.in_run = p.before"
    "   AND b.type IS g.type AND b.file IS g.file AND b.function IS g.function)"
    "  GROUP BY p.run, g.type"
    " UNION ALL"
    " SELECT p.run, 3, 'recompiles', c.frame_name, (SELECT count(*) FROM recompiles b WHERE b.in_run = p.before"
    "   AND b.frame_name IS c.frame_name AND b.frame_file IS c.frame_file) AS was, count(*) AS now, c.frame_file,"
    "  c.frame_line, 1 FROM p JOIN recompiles c ON c.in_run = p.run"
    "  GROUP BY p.run, c.frame_name, c.frame_file HAVING now > was"
    " UNION ALL"
    " SELECT p.run, 4, 'cache misses', 'all caches', b.cache_misses, a.cache_misses, NULL, NULL, 1 FROM p"
    "  JOIN runs a ON a.id = p.run JOIN runs b ON b.id = p.before"
    "  WHERE a.cache_misses > b.cache_misses AND a.cache_hits < b.cache_hits"
    " UNION ALL"
    " SELECT p.run, 5, 'compile time', 'seconds of wall time', b.compile_wall_s, a.compile_wall_s, NULL, NULL, 1 FROM p"
    "  JOIN runs a ON a.id = p.run JOIN runs b ON b.id = p.before"
    "  WHERE a.compile_wall_s > 1.2 * b.compile_wall_s AND a.compile_wall_s > b.compile_wall_s + 1"
    ") x JOIN runs r ON r.id = x.of ORDER BY r.started_us DESC, r.id DESC, x.weight, CAST(x.now AS REAL) DESC, x.what, "
    "x.file"
    " LIMIT ?1";

static const char programs_sql[] =
    "SELECT r.program, c.root, count(*) AS runs, (SELECT group_concat(function, ', ') FROM"
    "  (SELECT function FROM functions WHERE run = c.root ORDER BY function LIMIT 3)) AS functions FROM runs r LEFT "
    "JOIN temp.chains c ON c.run = r.id"
    " GROUP BY r.program, c.root ORDER BY max(r.started_us) DESC, r.program, c.root LIMIT ?1";

static const char runs_sql[] =
    "SELECT r.*, s.path FROM runs r JOIN sources s ON s.id = r.source LEFT JOIN temp.chains c ON c.run = r.id"
    " WHERE c.root IS ?1 ORDER BY r.started_us DESC, r.id DESC LIMIT ?2";

static json_t *one(json_t *value)
{
    json_t *values = json_new_array();

    json_push(values, value);
    return values;
}

/* --- numbers in words --------------------------------------------------------------------------------------------- */

static struct str words_of(struct arena *a, const json_t *v, bool seconds)
{
    if (!json_is_number(v))
        return STR("-");
    if (seconds)
        return format_duration_us(a, (int64_t)(json_number_value(v) * 1e6));
    return format_count(a, (uint64_t)json_integer_value(v));
}

/* Replaces the numbers of a run with words. */
static void word_run(struct arena *a, json_t *run)
{
    static const char *const counts[] = {"ranks",  "compiles",   "graph_breaks", "recompiles",
                                         "errors", "cache_hits", "cache_misses"};

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_put_str(run, counts[i], words_of(a, json_object_get(run, counts[i]), false));
    json_put_str(run, "compile_wall_s", words_of(a, json_object_get(run, "compile_wall_s"), true));
    json_put_str(run, "anchor", arena_printf(a, "run-%lld", (long long)json_integer_value(json_object_get(run, "id"))));
}

bool index_is_regression(const json_t *row)
{
    return json_integer_value(json_object_get(row, "weight")) > 0;
}

/* "model.py:7, and 2 more places"; null if there is none. */
static json_t *place_of(struct arena *a, const json_t *x)
{
    int64_t places = json_integer_value(json_object_get(x, "places"));
    struct str place;

    if (!json_is_string(json_object_get(x, "file")))
        return json_null();
    place = format_place(a, json_str(json_object_get(x, "file")), json_integer_value(json_object_get(x, "line")));
    return json_of_str(places > 1
                           ? arena_printf(a, "%.*s, and %.*s", STR_ARG(place),
                                          STR_ARG(format_counted(a, (uint64_t)places - 1, "more place", "more places")))
                           : place);
}

static struct str seconds_in_words(struct arena *a, struct str number)
{
    return format_duration_us(a, int_of_real(strtod(arena_str(a, number).p, NULL) * 1e6));
}

static void word_regression(struct arena *a, json_t *x)
{
    static const char *const sides[] = {"was", "now"};
    bool seconds = str_eq(json_str(json_object_get(x, "kind")), STR("compile time"));

    /* The database returns them as text, because versions are in the same column. */
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (seconds && json_is_string(json_object_get(x, sides[i])))
            json_put_str(x, sides[i], seconds_in_words(a, json_str(json_object_get(x, sides[i]))));
        else if (!json_is_string(json_object_get(x, sides[i])))
            json_put_str(x, sides[i], words_of(a, json_object_get(x, sides[i]), seconds));
    json_put_str(x, "tone", index_is_regression(x) ? STR("warning") : STR("info"));
    json_put_str(x, "anchor", arena_printf(a, "run-%lld", (long long)json_integer_value(json_object_get(x, "run"))));
    json_put(x, "place", place_of(a, x));
}

/* --- trends ------------------------------------------------------------------------------------------------------- */

static double number_in(const json_t *run, const char *key)
{
    const json_t *v = json_object_get(run, key);

    return json_is_number(v) && json_number_value(v) > 0 ? json_number_value(v) : 0;
}

/* Rows of changes, by their run, for lookups from every bar of every chart. */
struct by_run {
    struct map rows; /* id of a run -> struct finding_kinds */
};

struct finding_kinds {
    VEC(struct str) list; /* the kinds of regressions, each once */
};

static void index_by_run(struct arena *a, const json_t *regressions, struct by_run *out)
{
    const json_t *x;
    size_t i;

    map_init(&out->rows, a);
    json_array_foreach(regressions, i, x)
    {
        int64_t run = json_integer_value(json_object_get(x, "run"));
        struct str kind = json_str(json_object_get(x, "kind"));
        struct finding_kinds *kinds;
        bool there = false;

        if (!index_is_regression(x))
            continue;
        kinds = MAP_OBJECT(&out->rows, MAP_KEY(run), struct finding_kinds);
        vec_each(const struct str, known, &kinds->list) there |= str_eq(*known, kind);
        if (!there)
            vec_push(a, &kinds->list, kind);
    }
}

/* "graph break, recompiles": what got worse in a run; empty if nothing did. */
static struct str worse_in(struct arena *a, const struct by_run *worse, const json_t *run)
{
    int64_t id = json_integer_value(json_object_get(run, "id"));
    const struct finding_kinds *kinds = map_get(&worse->rows, MAP_KEY(id));
    struct str out = {"", 0};

    for (size_t i = 0; kinds && i < kinds->list.n; i++)
        out = arena_printf(a, "%.*s%s%.*s", STR_ARG(out), i ? ", " : "", STR_ARG(kinds->list.v[i]));
    return out;
}

/* A bar chart, the oldest run first: the data for the SVG. */
static json_t *chart(struct arena *a, const json_t *runs, const struct by_run *worse, const char *key,
                     const char *title)
{
    json_t *o = json_new_object(), *bars = json_new_array();
    size_t n = json_array_size(runs);
    const json_t *highest = NULL;
    double most = 0;

    for (size_t i = 0; i < n; i++) {
        const json_t *run = json_array_get(runs, i);

        if (number_in(run, key) > most) {
            most = number_in(run, key);
            highest = json_object_get(run, key);
        }
    }
    for (size_t i = 0; i < n; i++) {
        const json_t *run = json_array_get(runs, n - 1 - i);
        int height = most > 0 ? (int)(number_in(run, key) / most * (CHART_HEIGHT - 2) + 0.5) : 0;
        json_t *bar = json_new_object();

        json_put_i64(bar, "x", (int64_t)i * BAR_WIDTH);
        json_put_i64(bar, "y", CHART_HEIGHT - height);
        json_put_i64(bar, "height", height);
        json_put(bar, "started", json_incref(json_object_get(run, "started")));
        json_put_str(bar, "value", words_of(a, json_object_get(run, key), strcmp(key, "compile_wall_s") == 0));
        json_put_bool(bar, "worse", worse_in(a, worse, run).n > 0);
        json_put_i64(bar, "run", json_integer_value(json_object_get(run, "id")));
        json_push(bars, bar);
    }
    json_put_str(o, "title", str_of(title));
    json_put_str(o, "most", most > 0 ? words_of(a, highest, strcmp(key, "compile_wall_s") == 0) : STR("0"));
    json_put_str(o, "newest",
                 n ? words_of(a, json_object_get(json_array_get(runs, 0), key), strcmp(key, "compile_wall_s") == 0)
                   : STR("-"));
    json_put_i64(o, "width", (int64_t)(n ? n : 1) * BAR_WIDTH);
    json_put_i64(o, "height", CHART_HEIGHT);
    json_put(o, "bars", bars);
    return o;
}

static bool has_any(const json_t *runs, const char *key)
{
    for (size_t i = 0; i < json_array_size(runs); i++)
        if (number_in(json_array_get(runs, i), key) > 0)
            return true;
    return false;
}

/* A chart without any bar would say less than the zeros in the table. */
static json_t *charts_of(struct arena *a, const json_t *runs, const struct by_run *worse)
{
    static const struct {
        const char *key, *title;
    } kinds[] = {
        {"compile_wall_s", "Compile time"}, {"compiles", "Compiles"}, {"graph_breaks", "Graph breaks"},
        {"recompiles", "Recompiles"},       {"errors", "Errors"},
    };
    json_t *charts = json_new_array();

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (i == 0 || has_any(runs, kinds[i].key))
            json_push(charts, chart(a, runs, worse, kinds[i].key, kinds[i].title));
    return charts;
}

/* Facts that the user gave or that `pt2trace run` knows: a column is shown if any run has the fact. */
static const char *const said[] = {"commit_id", "host", "label", "command"};

static void put_whether_said(json_t *program, const json_t *runs, const char *name)
{
    char key[32];
    bool any = false;

    for (size_t i = 0; i < json_array_size(runs); i++)
        any |= json_is_string(json_object_get(json_array_get(runs, i), name));
    snprintf(key, sizeof key, "any_%s", name);
    json_put_bool(program, key, any);
}

/* Adds runs and charts to a program; false if the database cannot be read. */
static bool describe_program(struct arena *a, struct database *d, const struct by_run *worse, json_t *program)
{
    json_t *values = one(json_incref(json_object_get(program, "root"))), *runs;
    int64_t n = json_integer_value(json_object_get(program, "runs"));

    json_push(values, json_of_i64(RUNS_MAX));
    runs = database_rows(d, runs_sql, values);
    if (!runs)
        return false;
    json_put(program, "charts", charts_of(a, runs, worse));
    json_put(program, "oldest",
             json_incref(json_object_get(json_array_get(runs, json_array_size(runs) - 1), "started")));
    json_put(program, "newest", json_incref(json_object_get(json_array_get(runs, 0), "started")));
    for (size_t i = 0; i < json_array_size(runs); i++) {
        json_put_str(json_array_get(runs, i), "worse", worse_in(a, worse, json_array_get(runs, i)));
        word_run(a, json_array_get(runs, i));
    }
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        put_whether_said(program, runs, said[i]);
    json_put_str(program, "count", format_counted(a, (uint64_t)n, "run", "runs"));
    json_put(program, "hidden", n > RUNS_MAX ? json_of_i64(n - RUNS_MAX) : json_null());
    json_put(program, "runs", runs);
    return true;
}

/* --- the page ----------------------------------------------------------------------------------------------------- */

json_t *index_regressions(struct database *d, bool newest)
{
    json_t *values = one(json_of_i64(REGRESSIONS_MAX));

    json_push(values, json_of_i64(newest));
    return database_run(d, chains_sql) ? database_rows(d, regressions_sql, values) : (json_decref(values), NULL);
}

struct str index_regression_line(struct arena *a, const json_t *row)
{
    json_t *x = json_copy((json_t *)(uintptr_t)row);
    struct str place, out;

    word_regression(a, x);
    place = json_str(json_object_get(x, "place"));
    out = arena_printf(a, "%.*s, %.*s: %.*s: %.*s%s%.*s (before %.*s, now %.*s)",
                       STR_ARG(json_str(json_object_get(x, "program"))),
                       STR_ARG(json_str(json_object_get(x, "started"))), STR_ARG(json_str(json_object_get(x, "kind"))),
                       STR_ARG(json_str(json_object_get(x, "what"))), place.n ? " at " : "", STR_ARG(place),
                       STR_ARG(json_str(json_object_get(x, "was"))), STR_ARG(json_str(json_object_get(x, "now"))));
    json_decref(x);
    return out;
}

/* The changes of one run together: [{"program", "anchor", "started", "rows"}]. */
static json_t *by_run(const json_t *regressions)
{
    static const char *const names[] = {"program", "anchor", "started", "run", "commit_id", "label", "functions"};
    json_t *groups = json_new_array(), *group = NULL, *x;
    size_t i;

    json_array_foreach(regressions, i, x)
    {
        if (!group || !json_equal(json_object_get(group, "run"), json_object_get(x, "run"))) {
            group = json_new_object();
            for (size_t k = 0; k < sizeof names / sizeof *names; k++)
                json_put(group, names[k], json_incref(json_object_get(x, names[k])));
            json_put(group, "rows", json_new_array());
            json_push(groups, group);
        }
        json_push(json_object_get(group, "rows"), json_incref(x));
    }
    return groups;
}

static json_t *page_of(struct arena *a, struct database *d, struct str title)
{
    json_t *programs =
        !database_run(d, chains_sql) ? NULL : database_rows(d, programs_sql, one(json_of_i64(PROGRAMS_MAX)));
    json_t *regressions = index_regressions(d, false);
    int64_t runs = database_number(d, "SELECT count(*) FROM runs", NULL);
    size_t worse = 0;
    bool good = programs && regressions;
    json_t *o = json_new_object();
    struct by_run worse_by_run;

    index_by_run(a, regressions, &worse_by_run);
    for (size_t i = 0; i < json_array_size(programs) && good; i++)
        good = describe_program(a, d, &worse_by_run, json_array_get(programs, i));
    for (size_t i = 0; i < json_array_size(regressions); i++)
        worse += index_is_regression(json_array_get(regressions, i));
    for (size_t i = 0; i < json_array_size(regressions); i++)
        word_regression(a, json_array_get(regressions, i));
    json_put_str(o, "title", title);
    json_put_str(o, "version", STR(PT2TRACE_VERSION));
    json_put_str(o, "csp", asset_runs_csp);
    json_put_str(o, "css", asset_css);
    json_put_str(o, "js", asset_runs_js);
    json_put_str(o, "runs", format_counted(a, runs > 0 ? (uint64_t)runs : 0, "run", "runs"));
    json_put_str(o, "regression_count", format_counted(a, worse, "regression", "regressions"));
    json_put_bool(o, "any_regressions", json_array_size(regressions) > 0);
    json_put_bool(o, "few", json_array_size(programs) <= PROGRAMS_OPEN);
    json_put(o, "programs", programs ? programs : json_null());
    json_put(o, "changes", by_run(regressions));
    json_decref(regressions);
    if (good)
        return o;
    json_decref(o);
    return NULL;
}

static void render(const struct mustache *templates, const char *name, json_t *json, struct sink *out)
{
    mustache_render(templates, name, json, out);
    json_decref(json);
}

bool index_page_write(struct sink *out, struct database *d, struct str title)
{
    struct arena *a = arena_new();
    json_t *page = page_of(a, d, title);
    struct mustache *templates;
    struct str error;

    if (page) {
        templates = mustache_new(a, asset_templates, asset_template_count, &error);
        assert(templates);
        render(templates, "index_page", page, out);
    }
    arena_free(a);
    return page != NULL;
}
