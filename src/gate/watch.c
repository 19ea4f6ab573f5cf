#include "gate/watch.h"

#include "analysis/answers/health.h"
#include "analysis/time/timing.h"
#include "util/number.h"
#include "view/format.h"
#include "view/view.h"

/* How long a process must write nothing, while others do, to count as silent. */
enum { SILENT_US = 60 * 1000000 };

/* --- items of the report ------------------------------------------------------------------------------------------ */

/* By rank and process id, because the report's numbers of processes change when another rank appears. */
static struct str scope_key(struct arena *a, const json_t *ref, const char *id)
{
    return arena_printf(a, "%lld %lld %lld %.*s", (long long)member_number(ref, "rank"),
                        (long long)member_number(ref, "pid"), (long long)member_number(ref, "epoch"),
                        STR_ARG(member_text(ref, id)));
}

static bool is_about(const json_t *finding, const json_t *item, const char *compile, struct arena *a)
{
    struct str key = compile ? scope_key(a, item, compile) : STR("");
    json_t *ref;
    size_t i;

    if (!compile)
        return member_number(item, "line") > 0 && member_number(finding, "line") == member_number(item, "line") &&
               str_eq(member_text(finding, "file"), member_text(item, "file"));
    json_array_foreach(json_object_get(finding, "compile_refs"), i, ref)
    {
        if (str_eq(scope_key(a, ref, "id"), key))
            return true;
    }
    return false;
}

/* The finding that an item is part of, by its compile or by its place. NULL if unknown. */
static const json_t *finding_of(struct arena *a, const struct snapshot *facts, struct str id, const json_t *item,
                                const char *compile)
{
    json_t *finding;
    size_t i;

    json_array_foreach(snapshot_list(facts, "findings"), i, finding)
    {
        if (str_starts(member_text(finding, "id"), id) && is_about(finding, item, compile, a))
            return finding;
    }
    return NULL;
}

struct events {
    struct arena *arena;
    const struct snapshot *facts;
    const struct map *known;
    struct map added; /* keys added in this look */
    json_t *list;
};

/* A new event; NULL if it is already known. */
static json_t *add_event(struct events *e, const char *name, struct str key)
{
    json_t *o;

    if (map_get(e->known, key) || map_get(&e->added, key))
        return NULL;
    *map_at(&e->added, key) = e;
    o = json_new_object();
    json_put_str(o, "event", str_of(name));
    json_put_str(o, "key", key);
    json_push(e->list, o);
    return o;
}

static void copy_members(json_t *to, const json_t *from, const char *const *names, size_t n)
{
    for (size_t i = 0; from && i < n; i++) {
        json_t *v = json_object_get(from, names[i]);

        json_put(to, names[i], v ? json_incref(v) : json_null());
    }
}

/* What to do about it, if known. */
static void put_fix(json_t *o, const json_t *finding)
{
    static const char *const names[] = {"severity", "fix", "paste"};

    json_put(o, "finding", finding ? json_incref(json_object_get(finding, "id")) : json_null());
    copy_members(o, finding, names, sizeof names / sizeof *names);
}

static void add_breaks(struct events *e)
{
    static const char *const names[] = {"type", "file", "line", "function", "source"};
    json_t *b;
    size_t i;

    json_array_foreach(snapshot_list(e->facts, "graph_breaks"), i, b)
    {
        json_t *o = add_event(e, "graph_break", break_key(e->arena, b)), *ref;
        const json_t *finding;

        if (!o)
            continue;
        ref = json_array_get(json_object_get(b, "compile_refs"), 0);
        json_put_str(o, "compile", member_text(ref, "id"));
        copy_members(o, b, names, sizeof names / sizeof *names);
        finding = finding_of(e->arena, e->facts, STR("break"), b, NULL);
        put_fix(o, finding || !ref ? finding : finding_of(e->arena, e->facts, STR("break"), ref, "id"));
    }
}

static void add_recompiles(struct events *e)
{
    static const char *const names[] = {"rank", "pid", "compile", "limit_hit", "duration_s"};
    static const char *const of_frame[] = {"name", "file", "line"};
    json_t *r;
    size_t i;

    json_array_foreach(snapshot_list(e->facts, "recompiles"), i, r)
    {
        struct str key = arena_printf(e->arena, "recompile %.*s", STR_ARG(scope_key(e->arena, r, "compile")));
        const json_t *reason = json_array_get(json_object_get(r, "reasons"), 0);
        struct str why = member_text(reason, "words");
        json_t *o = add_event(e, "recompile", key);

        if (!o)
            continue;
        copy_members(o, r, names, sizeof names / sizeof *names);
        copy_members(o, json_object_get(r, "frame"), of_frame, sizeof of_frame / sizeof *of_frame);
        json_put_str(o, "why", why.n ? why : member_text(reason, "text"));
        put_fix(o, finding_of(e->arena, e->facts, STR("recompile"), r, "compile"));
    }
}

static void add_errors(struct events *e)
{
    static const char *const names[] = {"rank", "pid", "compile", "type", "message", "category", "file", "line"};
    json_t *x;
    size_t i;

    json_array_foreach(snapshot_list(e->facts, "errors"), i, x)
    {
        struct str at = member_text(x, "compile").n ? scope_key(e->arena, x, "compile") : STR("");
        struct str key = arena_printf(e->arena, "%.*s %.*s", STR_ARG(error_key(e->arena, x)), STR_ARG(at));
        json_t *o = add_event(e, "error", key);

        if (!o)
            continue;
        copy_members(o, x, names, sizeof names / sizeof *names);
        put_fix(o, finding_of(e->arena, e->facts, STR("error"), x, at.n ? "compile" : NULL));
    }
}

/* Findings that the events above do not cover, and that do not depend on the end of the run. */
static bool is_printed_while_it_runs(const json_t *finding)
{
    static const struct str others[] = {STR_INIT("break-"),  STR_INIT("recompile-"),  STR_INIT("error"),
                                        STR_INIT("rank-"),   STR_INIT("incomplete"),  STR_INIT("trace-damaged"),
                                        STR_INIT("run-"),    STR_INIT("collective-"), STR_INIT("clean"),
                                        STR_INIT("skipped-")};
    struct str severity = member_text(finding, "severity"), id = member_text(finding, "id");

    if (str_eq(severity, STR("low")) || str_eq(severity, STR("info")))
        return str_eq(id, STR("recompile-limit"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (str_starts(id, others[i]) && !str_eq(id, STR("recompile-limit")))
            return false;
    return true;
}

static void add_findings(struct events *e)
{
    static const char *const names[] = {"title", "rank", "file", "line"};
    json_t *x;
    size_t i;

    json_array_foreach(snapshot_list(e->facts, "findings"), i, x)
    {
        json_t *o = is_printed_while_it_runs(x) ? add_event(e, "finding", finding_key(e->arena, x)) : NULL;

        if (!o)
            continue;
        copy_members(o, x, names, sizeof names / sizeof *names);
        put_fix(o, x);
    }
}

/* --- compiles ----------------------------------------------------------------------------------------------------- */

/* Nothing more can come of it except its backward graph. */
static bool is_done(const struct compile *c)
{
    bool last = c->index + 1 == c->process->compiles.n;

    return c->ended || c->status == STATUS_ERROR || c->status == STATUS_EMPTY ||
           (!last && c->status != STATUS_INCOMPLETE);
}

static json_t *number_or_null(bool known, int64_t n)
{
    return known ? json_of_i64(n) : json_null();
}

static void put_process(json_t *o, const struct process *p)
{
    json_put(o, "rank", number_or_null(p->rank != RANK_UNKNOWN, p->rank));
    json_put(o, "pid", number_or_null(p->pid != 0 && !p->pid_is_thread, (int64_t)p->pid));
}

static void put_compile(struct arena *a, json_t *o, const struct compile *c)
{
    put_process(o, c->process);
    json_put(o, "epoch", json_of_i64(c->epoch));
    json_put_str(o, "compile", compile_id_print(a, c->id));
    json_put_str(o, "name", c->frame ? c->frame->name : STR(""));
    json_put_str(o, "file", c->frame ? c->frame->file : STR(""));
    json_put(o, "line", number_or_null(c->frame && c->frame->line > 0, c->frame ? c->frame->line : 0));
}

static void add_compiles(struct events *e, const struct run *r)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = r}; (c = compile_next(&w)) != NULL;) {
        int64_t start, duration;
        struct str key;
        json_t *o;

        if (c == c->process->unattributed || c->process->joined || !is_done(c))
            continue;
        key = arena_printf(e->arena, "compile %d %llu %u %.*s", c->process->rank, (unsigned long long)c->process->pid,
                           c->epoch, STR_ARG(compile_id_print(e->arena, c->id)));
        o = add_event(e, "compile", key);
        if (!o)
            continue;
        put_compile(e->arena, o, c);
        json_put_str(o, "status", str_of(compile_status_name(c->status)));
        json_put(o, "duration_s", view_seconds_us(compile_interval(c, &start, &duration) ? duration : -1));
    }
}

json_t *watch_events(struct arena *a, const struct run *r, const struct snapshot *facts, const struct map *known)
{
    struct events e = {.arena = a, .facts = facts, .known = known, .list = json_new_array()};

    map_init(&e.added, a);
    add_compiles(&e, r);
    add_breaks(&e);
    add_recompiles(&e);
    add_errors(&e);
    add_findings(&e);
    return e.list;
}

/* --- now ---------------------------------------------------------------------------------------------------------- */

/* Seconds from then to now; null if the clocks do not agree. */
static json_t *seconds_since(const struct process *p, int64_t local_us, int64_t now_us)
{
    int64_t age = local_us ? now_us - process_utc(p, local_us) : -1;

    return view_seconds_us(p->zone_known ? age : -1);
}

static void add_compiling(struct arena *a, json_t *list, const struct process *p, int64_t now_us)
{
    const struct compile *c = p->compiles.n ? p->compiles.v[p->compiles.n - 1] : NULL;
    struct str activity;
    json_t *o;

    if (!c || p->joined || is_done(c))
        return;
    o = json_new_object();
    put_compile(a, o, c);
    activity = process_last_activity(p, c);
    json_put_str(o, "activity", activity);
    json_put_str(o, "phase", activity.n ? str_of(phase_title(phase_of_event(activity))) : STR(""));
    json_put(o, "seconds", seconds_since(p, c->first_us, now_us));
    json_push(list, o);
}

static void add_silent(json_t *list, const struct process *p, int64_t newest_us, int64_t now_us)
{
    json_t *o;

    if (p->joined || p->last_us == 0 || newest_us - process_utc(p, p->last_us) < SILENT_US)
        return;
    o = json_new_object();
    put_process(o, p);
    json_put(o, "seconds", seconds_since(p, p->last_us, now_us));
    json_put(o, "behind_s", view_seconds_us(newest_us - process_utc(p, p->last_us)));
    json_push(list, o);
}

/* Only for the last run in the directory: earlier runs are over. */
json_t *watch_state(struct arena *a, const struct run *r, const struct answers *answers, int64_t now_us)
{
    json_t *o = json_new_object(), *compiling = json_new_array(), *silent = json_new_array();
    int64_t newest_us = 0;

    for (size_t i = 0; i < r->processes.n; i++) {
        const struct process *p = r->processes.v[i];

        if (p->group + 1 == r->groups && p->last_us && process_utc(p, p->last_us) > newest_us)
            newest_us = process_utc(p, p->last_us);
    }
    for (size_t i = 0; i < r->processes.n; i++) {
        if (r->processes.v[i]->group + 1 != r->groups)
            continue;
        add_compiling(a, compiling, r->processes.v[i], now_us);
        add_silent(silent, r->processes.v[i], newest_us, now_us);
    }
    json_put_str(o, "event", STR("state"));
    json_put(o, "processes", json_of_i64((int64_t)r->processes.n));
    json_put(o, "compiles", json_of_i64((int64_t)answers->counts.compiles));
    json_put(o, "graph_breaks", json_of_i64((int64_t)answers->counts.graph_breaks));
    json_put(o, "recompiles", json_of_i64((int64_t)answers->counts.recompiles));
    json_put(o, "errors", json_of_i64((int64_t)answers->counts.errors));
    json_put(o, "compiling", compiling);
    json_put(o, "silent", silent);
    return o;
}

struct str watch_key(struct arena *a, const json_t *item, const char *what, unsigned n)
{
    return arena_printf(a, "%s %u %.*s", what, n, STR_ARG(scope_key(a, item, "compile")));
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static struct str rank_of(struct arena *a, const json_t *o)
{
    int64_t rank = member_number(o, "rank");

    return rank >= 0 ? arena_printf(a, "rank %lld: ", (long long)rank) : STR("");
}

static struct str place_of(struct arena *a, const json_t *o)
{
    struct str place = format_place(a, member_text(o, "file"), member_number(o, "line"));

    return place.n ? arena_printf(a, " (%.*s)", STR_ARG(place)) : place;
}

static struct str seconds_of(struct arena *a, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);

    return json_is_number(v) ? format_duration_us(a, int_of_real(json_number_value(v) * 1e6)) : STR("");
}

static struct str id_of(struct arena *a, const json_t *o)
{
    struct str id = member_text(o, "compile");

    if (id.n == 0 || id.p[0] == '[')
        return id;
    return arena_printf(a, "[%.*s]", STR_ARG(id));
}

static struct str compile_line(struct arena *a, const json_t *o)
{
    struct str status = member_text(o, "status"), took = seconds_of(a, o, "duration_s");

    if (str_eq(status, STR("graph_break")))
        status = STR("graph break");
    return arena_printf(a, "compiled %.*s %.*s%.*s: %.*s%s%.*s", STR_ARG(id_of(a, o)), STR_ARG(member_text(o, "name")),
                        STR_ARG(place_of(a, o)), STR_ARG(status), took.n ? ", " : "", STR_ARG(took));
}

struct str watch_line(struct arena *a, const json_t *o)
{
    struct str event = member_text(o, "event"), text, source = member_text(o, "source");

    if (str_eq(event, STR("compile")))
        text = compile_line(a, o);
    else if (str_eq(event, STR("graph_break")))
        text =
            arena_printf(a, "graph break %.*s%.*s: %s%.*s%s%.*s", STR_ARG(id_of(a, o)), STR_ARG(place_of(a, o)),
                         source.n ? "`" : "", STR_ARG(source), source.n ? "`: " : "", STR_ARG(member_text(o, "type")));
    else if (str_eq(event, STR("recompile")))
        text =
            arena_printf(a, "recompile %.*s `%.*s`%.*s: %.*s%s", STR_ARG(id_of(a, o)), STR_ARG(member_text(o, "name")),
                         STR_ARG(place_of(a, o)), STR_ARG(str_first_line(member_text(o, "why"))),
                         json_is_true(json_object_get(o, "limit_hit")) ? "; the recompile limit is reached" : "");
    else if (str_eq(event, STR("error")))
        text = arena_printf(a, "error %.*s%.*s: %.*s: %.*s", STR_ARG(id_of(a, o)), STR_ARG(place_of(a, o)),
                            STR_ARG(member_text(o, "type")), STR_ARG(str_first_line(member_text(o, "message"))));
    else
        text = arena_printf(a, "%.*s: %.*s%.*s", STR_ARG(member_text(o, "severity")), STR_ARG(member_text(o, "title")),
                            STR_ARG(place_of(a, o)));
    return arena_printf(a, "%.*s%.*s", STR_ARG(rank_of(a, o)), STR_ARG(text));
}

struct str watch_fix(struct arena *a, const json_t *o)
{
    struct str fix = member_text(o, "fix"), paste = member_text(o, "paste");

    return paste.n ? arena_printf(a, "%.*s\n%.*s", STR_ARG(fix), STR_ARG(paste)) : fix;
}

struct str watch_compiling_line(struct arena *a, const json_t *o)
{
    struct str phase = member_text(o, "phase"), activity = member_text(o, "activity"),
               age = seconds_of(a, o, "seconds");
    bool gone = json_is_true(json_object_get(o, "gone"));

    return arena_printf(a, "%.*scompiling %.*s %.*s%.*s%s%.*s%s%.*s%s%s%.*s%s", STR_ARG(rank_of(a, o)),
                        STR_ARG(id_of(a, o)), STR_ARG(member_text(o, "name")), STR_ARG(place_of(a, o)),
                        phase.n ? ", " : "", STR_ARG(phase), activity.n ? " (" : "", STR_ARG(activity),
                        activity.n ? ")" : "", age.n ? ", for " : "", STR_ARG(age),
                        gone ? "; its process is not on this machine: it ended, or runs on another one" : "");
}

struct str watch_silent_line(struct arena *a, const json_t *o)
{
    struct str rank = rank_of(a, o), behind = seconds_of(a, o, "behind_s");

    if (rank.n == 0)
        rank = arena_printf(a, "process %lld: ", (long long)member_number(o, "pid"));
    return arena_printf(a, "%.*shas written nothing for %.*s while others wrote: it may be done, hanging or dead",
                        STR_ARG(rank), STR_ARG(behind));
}
