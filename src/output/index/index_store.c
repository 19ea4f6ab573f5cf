#include "output/index/index_store.h"

#include "analysis/answers/versions.h"
#include "input/report_files.h"
#include "output/tables/sqlite_tables.h"
#include "util/formats/json.h"
#include "util/mem.h"
#include "util/number.h"
#include "util/system/file.h"
#include "view/facts/facts.h"
#include "view/format.h"
#include "view/page.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The version of the tables, by which a database with an older layout is recognized. */
#define LAYOUT "3"

static const char schema[] =
    "CREATE TABLE IF NOT EXISTS sources (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, content TEXT,"
    " copy_of INTEGER);"
    "CREATE INDEX IF NOT EXISTS sources_content ON sources (content);"
    "CREATE TABLE IF NOT EXISTS files (source INTEGER NOT NULL, path TEXT NOT NULL, bytes INTEGER, mtime_ns INTEGER,"
    " md5 TEXT, PRIMARY KEY (source, path));"
    "CREATE TABLE IF NOT EXISTS runs (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, number INTEGER, program TEXT,"
    " started TEXT, started_us INTEGER, pytorch TEXT, python TEXT, triton TEXT, cuda TEXT, gpu TEXT, ranks INTEGER,"
    " processes INTEGER, frames INTEGER, compiles INTEGER, attempts INTEGER, graph_breaks INTEGER, recompiles INTEGER,"
    " recompile_limit_hits INTEGER, errors INTEGER, cache_hits INTEGER, cache_misses INTEGER, cache_bypasses INTEGER,"
    " records INTEGER, compile_wall_s REAL, settings TEXT, functions INTEGER, command TEXT, command_key TEXT,"
    " commit_id TEXT, host TEXT, label TEXT);"
    "CREATE INDEX IF NOT EXISTS runs_source ON runs (source);"
    "CREATE INDEX IF NOT EXISTS runs_in_order ON runs (program, started_us, id);"
    "CREATE TABLE IF NOT EXISTS functions (run INTEGER NOT NULL, function TEXT NOT NULL,"
    " PRIMARY KEY (run, function)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS ranks (run INTEGER NOT NULL, rank INTEGER, pid INTEGER, process INTEGER,"
    " records INTEGER, compiles INTEGER, graph_breaks INTEGER, recompiles INTEGER, failures INTEGER, compile_s REAL);"
    /*
     * Programs with the same name may differ. Runs belong to one program if at least half of the functions of the
     * smaller run are in the other as well, and the commands are equal if both are known.
     */
    "CREATE VIEW IF NOT EXISTS run_pairs AS SELECT r.id AS run, (SELECT b.id FROM runs b WHERE b.program = r.program"
    "  AND (b.started_us, b.id) < (r.started_us, r.id) AND b.label IS r.label"
    "  AND coalesce(b.command_key, r.command_key, '') = coalesce(r.command_key, b.command_key, '') AND 2 * (SELECT "
    "count(*) FROM functions x JOIN functions y"
    "   ON y.run = b.id AND y.function = x.function WHERE x.run = r.id) >= min(r.functions, b.functions)"
    "  ORDER BY b.started_us DESC, b.id DESC LIMIT 1) AS before FROM runs r WHERE r.program IS NOT NULL;";

/* The tables of a run, as in export, without those that only matter for a single run. */
static const char *const kept[] = {"findings", "graph_breaks", "recompiles", "errors", "phases", "compiles", "caches"};

enum { KEPT = sizeof kept / sizeof *kept };

static struct sqlite_table table_of(const char *name)
{
    return (struct sqlite_table){table_find(name), "in_run INTEGER NOT NULL", false};
}

static bool make_tables(struct database *d)
{
    bool good = database_run(d, "PRAGMA application_id = " REPORT_DATABASE "; PRAGMA user_version = " LAYOUT ";") &&
                database_run(d, schema);
    char sql[120];

    for (size_t i = 0; i < KEPT && good; i++) {
        struct sqlite_table t = table_of(kept[i]);

        snprintf(sql, sizeof sql, "CREATE INDEX IF NOT EXISTS %s_in_run ON %s (in_run)", kept[i], kept[i]);
        good = sqlite_table_make(d, &t) && database_run(d, sql);
    }
    return good;
}

/* An empty text, or why the file is not an index of this layout. */
static struct str what_is_wrong(struct database *d)
{
    int64_t tables = database_number(d, "SELECT count(*) FROM sqlite_schema", NULL);

    if (tables == 0)
        return STR("");
    if (database_number(d, "PRAGMA application_id", NULL) != atoll(REPORT_DATABASE))
        return STR("a database of another program; it is left alone. Name a new file, or one from pt2trace");
    if (database_number(d, "PRAGMA user_version", NULL) != atoll(LAYOUT))
        return STR("created by another version of pt2trace: index the runs again, into a new file");
    return STR("");
}

struct database *index_open(struct arena *a, const char *path, struct str *error)
{
    struct database *d = database_open(a, path, error);

    if (!d)
        return NULL;
    *error = what_is_wrong(d);
    if (error->n == 0 && !(database_run(d, "BEGIN IMMEDIATE") && make_tables(d) && database_run(d, "COMMIT")))
        *error = arena_printf(a, "%s", database_error(d));
    if (error->n == 0)
        return d;
    database_close(d);
    return NULL;
}

static json_t *list(size_t n, ...)
{
    json_t *values = json_new_array();
    va_list ap;

    va_start(ap, n);
    for (size_t i = 0; i < n; i++)
        json_push(values, va_arg(ap, json_t *));
    va_end(ap);
    return values;
}

/* --- what changed ------------------------------------------------------------------------------------------------- */

static bool hash_file(const char *path, struct digest *out)
{
    enum { PIECE = 64 * 1024 };
    char *piece = xmalloc(PIECE);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct digest_state state;
    ssize_t k = -1;

    digest_begin(&state);
    while (fd >= 0 && (k = read(fd, piece, PIECE)) > 0)
        digest_add(&state, (struct str){piece, (size_t)k});
    *out = digest_end(&state);
    if (fd >= 0)
        close(fd);
    free(piece);
    return k == 0;
}

static json_t *md5_of(struct str path)
{
    struct digest d;
    char hex[DIGEST_HEX + 1];

    if (!hash_file(path.p, &d))
        return json_null();
    digest_hex(&d, hex);
    return json_of_str(str_of(hex));
}

static int64_t source_id(struct database *d, const struct index_source *s)
{
    return database_number(d, "SELECT id FROM sources WHERE path = ?1", list(1, json_of_str(s->path)));
}

/* The same time, or the same contents; in the second case the new time is stored. */
static bool is_same_file(struct database *d, int64_t source, const struct index_file *f)
{
    json_t *rows = database_rows(d, "SELECT mtime_ns, md5 FROM files WHERE source = ?1 AND path = ?2 AND bytes = ?3",
                                 list(3, json_of_i64(source), json_of_str(f->path), json_of_i64((int64_t)f->bytes)));
    const json_t *row = json_array_get(rows, 0);
    bool same = row && json_integer_value(json_object_get(row, "mtime_ns")) == f->mtime_ns;
    json_t *now = row && !same ? md5_of(f->path) : NULL;

    if (json_is_string(now) && json_equal(now, json_object_get(row, "md5")))
        same = database_do(d, "UPDATE files SET mtime_ns = ?3 WHERE source = ?1 AND path = ?2",
                           list(3, json_of_i64(source), json_of_str(f->path), json_of_i64(f->mtime_ns)));
    json_decref(now);
    json_decref(rows);
    return same;
}

bool index_is_known(struct database *d, const struct index_source *s)
{
    int64_t source = source_id(d, s);
    int64_t n = database_number(d, "SELECT count(*) FROM files WHERE source = ?1", list(1, json_of_i64(source)));
    bool same = source >= 0 && n == (int64_t)s->files.n;

    for (size_t i = 0; i < s->files.n && same; i++)
        same = is_same_file(d, source, &s->files.v[i]);
    return same;
}

/* --- one source --------------------------------------------------------------------------------------------------- */

static bool forget(struct database *d, int64_t source)
{
    static const char of_source[] = "(SELECT id FROM runs WHERE source = ?1)";
    char sql[160];
    bool good = true;

    for (size_t i = 0; i < KEPT && good; i++) {
        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE in_run IN %s", kept[i], of_source);
        good = database_do(d, sql, list(1, json_of_i64(source)));
    }
    /* A source that was skipped as a copy of this one is read next time. */
    return good &&
           database_do(d, "DELETE FROM files WHERE source IN (SELECT id FROM sources WHERE copy_of = ?1)",
                       list(1, json_of_i64(source))) &&
           database_do(d, "DELETE FROM ranks WHERE run IN (SELECT id FROM runs WHERE source = ?1)",
                       list(1, json_of_i64(source))) &&
           database_do(d, "DELETE FROM functions WHERE run IN (SELECT id FROM runs WHERE source = ?1)",
                       list(1, json_of_i64(source))) &&
           database_do(d, "DELETE FROM runs WHERE source = ?1", list(1, json_of_i64(source))) &&
           database_do(d, "DELETE FROM files WHERE source = ?1", list(1, json_of_i64(source)));
}

bool index_begin(struct database *d, const struct index_source *s)
{
    int64_t source;
    bool good = database_run(d, "BEGIN IMMEDIATE") &&
                database_do(d, "INSERT OR IGNORE INTO sources (path) VALUES (?1)", list(1, json_of_str(s->path)));

    source = good ? source_id(d, s) : -1;
    good = source >= 0 && forget(d, source);
    for (size_t i = 0; i < s->files.n && good; i++) {
        const struct index_file *f = &s->files.v[i];

        good = database_do(d, "INSERT INTO files VALUES (?1, ?2, ?3, ?4, ?5)",
                           list(5, json_of_i64(source), json_of_str(f->path), json_of_i64((int64_t)f->bytes),
                                json_of_i64(f->mtime_ns), md5_of(f->path)));
    }
    return good;
}

bool index_note_copy(struct database *d, const struct index_source *s, bool *copy)
{
    int64_t source = source_id(d, s), original;

    if (!database_do(d,
                     "UPDATE sources SET content = (SELECT CASE WHEN count(*) = count(md5) THEN group_concat(md5)"
                     " END FROM (SELECT md5 FROM files WHERE source = ?1 ORDER BY md5)) WHERE id = ?1",
                     list(1, json_of_i64(source))))
        return false;
    original =
        database_number(d,
                        "SELECT min(o.id) FROM sources s JOIN sources o ON o.content = s.content AND o.id <> s.id"
                        " WHERE s.id = ?1 AND EXISTS (SELECT 1 FROM runs WHERE source = o.id)",
                        list(1, json_of_i64(source)));
    *copy = original > 0;
    return database_do(d, "UPDATE sources SET copy_of = ?2 WHERE id = ?1",
                       list(2, json_of_i64(source), *copy ? json_of_i64(original) : json_null()));
}

bool index_describe(struct database *d, const struct index_source *s, const struct index_words *words)
{
    static const char *const updates[] = {"UPDATE runs SET commit_id = ?2 WHERE source = ?1",
                                          "UPDATE runs SET host = ?2 WHERE source = ?1",
                                          "UPDATE runs SET label = ?2 WHERE source = ?1"};
    const char *values[] = {words->commit, words->host, words->label};
    bool good = true;

    for (size_t i = 0; i < sizeof values / sizeof *values && good; i++)
        good = !values[i] ||
               database_do(d, updates[i], list(2, json_of_i64(source_id(d, s)), json_of_str(str_of(values[i]))));
    return good;
}

bool index_commit(struct database *d)
{
    return database_run(d, "COMMIT");
}

/* Sources at the path ?1, or below it. */
#define BELOW "(path = ?1 OR substr(path, 1, length(?1) + 1) = ?1 || '/')"

int64_t index_places(struct database *d, struct str path)
{
    return database_number(d,
                           "SELECT count(*) FROM sources s WHERE " BELOW
                           " AND (copy_of IS NOT NULL OR EXISTS (SELECT 1 FROM runs WHERE source = s.id))",
                           list(1, json_of_str(path)));
}

static bool remove_sources(struct database *d, const json_t *sources)
{
    bool good = true;

    for (size_t i = 0; i < json_array_size(sources) && good; i++) {
        int64_t id = json_integer_value(json_object_get(json_array_get(sources, i), "id"));

        good = forget(d, id) && database_do(d, "DELETE FROM sources WHERE id = ?1", list(1, json_of_i64(id)));
    }
    return good;
}

int64_t index_remove(struct database *d, struct str path, size_t *places)
{
    static const char counted[] = "SELECT count(*) FROM runs WHERE source IN (SELECT id FROM sources WHERE " BELOW ")";
    json_t *sources = NULL;
    int64_t runs = -1;
    bool good = database_run(d, "BEGIN IMMEDIATE");

    if (good) {
        runs = database_number(d, counted, list(1, json_of_str(path)));
        sources = database_rows(d, "SELECT id FROM sources WHERE " BELOW, list(1, json_of_str(path)));
        good = runs >= 0 && sources && remove_sources(d, sources) && index_commit(d);
    }
    *places = json_array_size(sources);
    json_decref(sources);
    return good ? runs : -1;
}

/* --- one run ------------------------------------------------------------------------------------------------------ */

/* When the first process with a known time began: its local time as text, and in UTC. */
static void put_start(json_t *values, struct view *v)
{
    const struct process *first = NULL;

    for (size_t i = 0; i < v->run->processes.n && !first; i++)
        if (v->run->processes.v[i]->first_us)
            first = v->run->processes.v[i];
    if (first) {
        int64_t us = first->first_us - (first->zone_known ? first->zone_us : 0);

        json_push(values, json_of_str(format_moment_plain(v->scratch, first, us)));
        json_push(values, json_of_i64(us));
    } else {
        json_push(values, json_null());
        json_push(values, json_null());
    }
}

/* Takes `from` over. */
static void put_members(json_t *values, json_t *from, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        json_t *v = json_object_get(from, names[i]);

        json_push(values, v ? json_incref(v) : json_null());
    }
    json_decref(from);
}

/* What the runs of one program have in common: here, the script, or else the file that was compiled first. */
static struct str program_of(struct view *v)
{
    struct str program = page_program(v);
    const struct compile *c;

    for (struct compile_walk w = {.run = v->run}; program.n == 0 && (c = compile_next(&w));)
        if (c->frame && !is_framework_file(c->frame->file))
            program = code_file_name(c->frame->file);
    return program;
}

/* "torch._dynamo.config.verbose=True; ...": what the user set; null if the trace does not say. */
static json_t *settings_of(struct view *v)
{
    json_t *settings = fact_configuration(v, &v->answers->settings), *x;
    struct buf b = {0};
    json_t *out;
    size_t i;

    json_array_foreach(json_object_get(settings, "differing"), i, x)
        buf_printf(&b, "%s%.*s=%.*s", b.n ? "; " : "", STR_ARG(json_str(json_object_get(x, "name"))),
                   STR_ARG(json_str(json_object_get(x, "value"))));
    out = b.n ? json_of_str(buf_view(&b)) : json_null();
    buf_free(&b);
    json_decref(settings);
    return out;
}

/* Functions distinguish programs with the same name, wherever their files are. */
static bool add_functions(struct database *d, int64_t run, struct view *v)
{
    const struct compile *c;
    bool good = true;

    for (struct compile_walk w = {.run = v->run}; good && (c = compile_next(&w));) {
        struct str file = c->frame ? str_file_name(c->frame->file) : STR("");

        if (c->frame && !c->frame->is_resume)
            good = database_do(
                d, "INSERT OR IGNORE INTO functions VALUES (?1, ?2)",
                list(2, json_of_i64(run),
                     json_of_str(arena_printf(v->scratch, "%.*s %.*s", STR_ARG(file), STR_ARG(c->frame->name)))));
    }
    return good && database_do(d,
                               "UPDATE runs SET functions = (SELECT count(*) FROM functions WHERE run = ?1)"
                               " WHERE id = ?1",
                               list(1, json_of_i64(run)));
}

/* The command without directories, numbers and versions, which may differ between two launches of one program. */
static struct str command_key(struct arena *a, struct str command)
{
    struct buf b = {0};
    struct str out;

    while (command.n) {
        struct str word = str_file_name(str_split(&command, ' '));

        for (size_t i = 0; i < word.n; i++)
            if (word.p[i] != '.' && (word.p[i] < '0' || word.p[i] > '9'))
                buf_char(&b, word.p[i]);
        buf_char(&b, ' ');
    }
    out = arena_str(a, str_trim(buf_view(&b)));
    buf_free(&b);
    return out;
}

/* The command, if `pt2trace run` launched the program. */
static void put_command(json_t *values, struct view *v)
{
    struct str command = v->run->experiment ? v->run->experiment->command : (struct str){0};

    json_push(values, view_text(command));
    json_push(values, view_text(command_key(v->scratch, command)));
}

static bool add_run_row(struct database *d, int64_t source, uint32_t number, struct view *v)
{
    static const char *const versions[] = {"pytorch", "python", "triton", "cuda", "gpu"};
    static const char *const totals[] = {"ranks",    "processes",     "frames",       "compiles",
                                         "attempts", "graph_breaks",  "recompiles",   "recompile_limit_hits",
                                         "errors",   "cache_hits",    "cache_misses", "cache_bypasses",
                                         "records",  "compile_wall_s"};
    json_t *values = list(3, json_of_i64(source), json_of_i64(number), view_text(program_of(v)));
    struct versions found = run_versions(v->run);

    put_start(values, v);
    put_members(values, fact_environment(v, &found), versions, sizeof versions / sizeof *versions);
    put_members(values, fact_totals(v, v->answers), totals, sizeof totals / sizeof *totals);
    json_push(values, settings_of(v));
    json_push(values, json_of_i64(0)); /* functions: filled in by add_functions */
    put_command(values, v);
    return database_do(d,
                       "INSERT INTO runs VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14,"
                       " ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, NULL, NULL, NULL)",
                       values);
}

static bool add_rank(struct database *d, int64_t run, const struct process *p)
{
    uint64_t breaks = p->unattributed->breaks.n, recompiles = 0, failures = p->unattributed->failures.n;
    int64_t start, us, sum = 0;

    for (size_t i = 0; i < p->compiles.n; i++) {
        const struct compile *c = p->compiles.v[i];

        breaks += c->breaks.n;
        failures += c->failures.n;
        recompiles += compile_is_recompile(c);
        sum = compile_interval(c, &start, &us) ? add_bounded(sum, us) : sum;
    }
    return database_do(
        d, "INSERT INTO ranks VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        list(10, json_of_i64(run), view_rank(p->rank), json_of_i64((int64_t)p->pid), json_of_i64(p->index),
             json_of_i64((int64_t)p->records), json_of_i64((int64_t)p->compiles.n), json_of_i64((int64_t)breaks),
             json_of_i64((int64_t)recompiles), json_of_i64((int64_t)failures), json_of_double((double)sum / 1e6)));
}

struct report_adding {
    struct database *d;
    json_t *keys;
    bool good;
};

static bool is_kept(const char *table)
{
    for (size_t i = 0; i < KEPT; i++)
        if (strcmp(kept[i], table) == 0)
            return true;
    return false;
}

static void add_row(void *object, const char *table, json_t *row)
{
    struct report_adding *a = object;
    struct sqlite_table t = table_of(table);

    if (a->good && is_kept(table))
        a->good = sqlite_table_add(a->d, &t, a->keys, row);
    json_decref(row);
}

bool index_add_run(struct database *d, const struct index_source *s, uint32_t number, struct view *v)
{
    struct report_adding a = {.d = d, .good = true};
    int64_t run;

    if (!add_run_row(d, source_id(d, s), number, v))
        return false;
    run = database_number(d, "SELECT last_insert_rowid()", NULL);
    a.keys = list(1, json_of_i64(run));
    for (size_t i = 0; i < v->run->processes.n && a.good; i++)
        a.good = add_rank(d, run, v->run->processes.v[i]);
    a.good = a.good && add_functions(d, run, v);
    if (a.good)
        tables_write(v, false, add_row, &a);
    json_decref(a.keys);
    return a.good;
}
