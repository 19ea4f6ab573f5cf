#include "gate/gate.h"

#include "util/map.h"
#include "util/utf8.h"
#include "view/format.h"

#include <stdlib.h>

const char *gate_rule_name(enum gate_rule r)
{
    static const char *const names[GATE_RULES] = {"errors",       "recompile-limit", "fullgraph",
                                                  "graph-breaks", "recompiles",      "compile-time",
                                                  "cache-hits",   "findings",        "unknown"};

    return names[r];
}

const char *gate_rule_summary(enum gate_rule r)
{
    static const char *const texts[GATE_RULES] = {"Nothing fails while it is compiled or run",
                                                  "No function reaches the recompile limit",
                                                  "Functions that must be one graph are one graph",
                                                  "The graph breaks at no more places than allowed",
                                                  "Nothing is recompiled more often than allowed",
                                                  "Compiling takes no longer than allowed",
                                                  "Compiled code comes from the caches",
                                                  "No finding is as severe as the policy names",
                                                  "The run has the facts that the limits need"};

    return texts[r];
}

/* State that all checks of one call share. */
struct checker {
    struct arena *arena;
    struct policy *policy;
    const struct snapshot *now, *baseline;
    struct gate *out;
    struct map compiles;       /* "process epoch id" -> its object in the report */
    struct map breaks_at;      /* "file line" -> the finding about a graph break there */
    struct map recompiles_of;  /* "process epoch id" -> the finding whose evidence this recompile is */
    struct map known;          /* keys in the baseline -> how often they occur (numbers) */
    VEC(const json_t *) again; /* recompiles that are neither allowed nor in the baseline */
};

static void index_compiles(struct checker *k)
{
    json_t *c;
    size_t i;

    map_init(&k->compiles, k->arena);
    json_array_foreach(snapshot_list(k->now, "compiles"), i, c)
    {
        *map_at(&k->compiles, compile_key(k->arena, c, "id")) = c;
    }
}

static void set_first(struct map *m, struct str key, json_t *finding)
{
    void **slot = map_at(m, key);

    *slot = *slot ? *slot : finding;
}

static struct str place_key(struct arena *a, struct str file, int64_t line)
{
    return arena_printf(a, "%.*s\n%lld", STR_ARG(file), (long long)line);
}

static void index_place(struct checker *k, const json_t *place, json_t *finding)
{
    set_first(&k->breaks_at, place_key(k->arena, member_text(place, "file"), member_number(place, "line")), finding);
}

/* Findings are in the order in which to act on them: if two are about the same thing, the first one counts. */
static void index_findings(struct checker *k)
{
    json_t *x, *o;
    size_t i, j;

    map_init(&k->breaks_at, k->arena);
    map_init(&k->recompiles_of, k->arena);
    json_array_foreach(snapshot_list(k->now, "findings"), i, x)
    {
        struct str id = member_text(x, "id");

        if (str_starts(id, STR("break-")) || str_starts(id, STR("missing-"))) {
            index_place(k, x, x);
            json_array_foreach(json_object_get(x, "spots"), j, o)
            {
                index_place(k, o, x);
            }
        } else if (str_starts(id, STR("recompile-"))) {
            json_array_foreach(json_object_get(x, "compile_refs"), j, o)
            {
                set_first(&k->recompiles_of, compile_key(k->arena, o, "id"), x);
            }
        }
    }
}

static const json_t *frame_of(const json_t *c)
{
    return c ? json_object_get(c, "frame") : NULL;
}

/* "f" matches a function of that name in any file; "model.py:f" only in that file. */
static bool is_function(struct arena *a, struct str name, struct str function, struct str file)
{
    ptrdiff_t colon = str_rchr(name, ':');
    struct allowance x = {.file = str_take(name, colon > 0 ? (size_t)colon : 0)};

    return str_eq(str_skip(name, (size_t)(colon + 1)), function) && allowance_has_file(&x, a, file);
}

static bool compile_is_of(struct checker *k, const json_t *c, struct str name)
{
    const json_t *frame = frame_of(c);

    return frame &&
           is_function(k->arena, name, resumed_function(member_text(frame, "name")), member_text(frame, "file"));
}

static bool below(struct str file, struct str path)
{
    while (str_ends(path, STR("/")))
        path = str_drop(path, 1);
    if (str_starts(file, path) && (file.n == path.n || file.p[path.n] == '/'))
        return true;
    for (size_t i = 0; i + path.n < file.n; i++)
        if (file.p[i] == '/' && str_starts(str_skip(file, i + 1), path) &&
            (i + 1 + path.n == file.n || file.p[i + 1 + path.n] == '/'))
            return true;
    return false;
}

static bool is_own(struct checker *k, struct str file)
{
    vec_each(const struct str, path, &k->policy->own_paths) if (below(file, *path)) return true;
    return k->policy->own_paths.n == 0;
}

/* --- allowances, baseline ----------------------------------------------------------------------------------------- */

/* "break-print-2" is the second "break-print". */
static bool is_id(struct str id, struct str wanted)
{
    struct str rest = id;
    uint64_t n;

    return str_eq(id, wanted) || (str_consume(&rest, wanted) && str_consume(&rest, STR("-")) && str_u64(rest, &n));
}

static bool allow(struct checker *k, struct str id, struct str other_id, struct str file, int64_t line)
{
    vec_each(struct allowance, x, &k->policy->allow)
    {
        bool fits = x->id.n == 0 || is_id(id, x->id) || str_eq(other_id, x->id);

        if (fits && (x->line == 0 || x->line == line) && allowance_has_file(x, k->arena, file)) {
            x->used = true;
            k->out->allowed++;
            return true;
        }
    }
    return false;
}

/* Uses up one occurrence of a key in the baseline. */
static bool is_known(struct checker *k, struct str key)
{
    if (map_number(&k->known, key) == 0)
        return false;
    --*map_number_at(&k->known, key);
    k->out->known++;
    return true;
}

static void add(struct checker *k, struct violation v)
{
    vec_push(k->arena, &k->out->list, v);
}

static void note_checked(struct checker *k, struct str what, struct str most)
{
    vec_push(k->arena, &k->out->checked, arena_printf(k->arena, "%.*s, %.*s allowed", STR_ARG(what), STR_ARG(most)));
}

static void add_unknown(struct checker *k, const char *what)
{
    add(k, (struct violation){.rule = GATE_UNKNOWN,
                              .severity = FINDING_HIGH,
                              .title = arena_printf(k->arena, "It is unknown whether the limit of %s is met", what),
                              .detail = arena_printf(k->arena, "The input does not contain the %s.", what),
                              .fix = STR("Record the run with TORCH_TRACE, and check the trace."),
                              .key = arena_printf(k->arena, "unknown %s", what)});
}

/* --- graph breaks ------------------------------------------------------------------------------------------------- */

struct gate_place {
    const json_t *item; /* in "graph_breaks": of the first rank that hit it */
    struct str file, function;
    int64_t line;
};

typedef VEC(struct gate_place) places;

/* The innermost line outside PyTorch, or else the line of the break. */
static struct gate_place place_of(const json_t *b)
{
    struct gate_place p = {.item = b, .file = member_text(b, "own_file"), .line = member_number(b, "own_line")};

    if (p.file.n == 0) {
        p.file = member_text(b, "file");
        p.line = member_number(b, "line");
    }
    p.function = member_text(b, "function");
    p.line = p.line > 0 ? p.line : 0;
    return p;
}

/* Each place once, whichever ranks hit it. */
static void find_places(struct checker *k, places *out)
{
    struct map seen;
    json_t *b;
    size_t i;

    map_init(&seen, k->arena);
    json_array_foreach(snapshot_list(k->now, "graph_breaks"), i, b)
    {
        struct gate_place p = place_of(b);
        void **slot = map_at(&seen, arena_printf(k->arena, "%.*s\n%.*s\n%lld", STR_ARG(member_text(b, "type")),
                                                 STR_ARG(p.file), (long long)p.line));

        if (*slot || !is_own(k, p.file))
            continue;
        *slot = b;
        if (!allow(k, STR(""), member_text(b, "gb_id"), p.file, p.line) && !is_known(k, break_key(k->arena, b)))
            vec_push(k->arena, out, p);
    }
}

static enum finding_severity severity_of(const json_t *finding)
{
    enum finding_severity s;

    return finding && policy_severity(member_text(finding, "severity"), &s) ? s : FINDING_MEDIUM;
}

static void add_break(struct checker *k, const struct gate_place *p, enum gate_rule rule)
{
    const json_t *x = map_get(&k->breaks_at, place_key(k->arena, p->file, p->line));
    struct str source = member_text(p->item, "source");

    add(k, (struct violation){.rule = rule,
                              .severity = severity_of(x),
                              .title = arena_printf(k->arena, "Graph break: %.*s%s%.*s%s",
                                                    STR_ARG(member_text(p->item, "type")), source.n ? ": `" : "",
                                                    STR_ARG(source), source.n ? "`" : ""),
                              .detail = member_text(p->item, "explanation"),
                              .fix = member_text(x, "fix"),
                              .paste = member_text(x, "paste"),
                              .doc = member_text(p->item, "url"),
                              .file = p->file,
                              .line = p->line,
                              .function = p->function,
                              .key = break_key(k->arena, p->item)});
}

static bool break_is_of(struct checker *k, const struct gate_place *p, struct str name)
{
    json_t *ref;
    size_t i;

    if (is_function(k->arena, name, p->function, member_text(p->item, "file")))
        return true;
    json_array_foreach(json_object_get(p->item, "compile_refs"), i, ref)
    {
        if (compile_is_of(k, map_get(&k->compiles, compile_key(k->arena, ref, "id")), name))
            return true;
    }
    return false;
}

/* Counts the places in a function or, without one, all places. */
static void limit_breaks(struct checker *k, const places *all, const struct function_limits *f, int64_t most,
                         enum gate_rule rule)
{
    uint64_t n = 0;

    vec_each(const struct gate_place, p, all) n += !f || break_is_of(k, p, f->name);
    note_checked(k,
                 f ? arena_printf(k->arena, "%.*s in `%.*s`",
                                  STR_ARG(format_counted(k->arena, n, "graph break", "graph breaks")), STR_ARG(f->name))
                   : format_counted(k->arena, n, "graph break", "graph breaks"),
                 format_count(k->arena, (uint64_t)most));
    if (n <= (uint64_t)most)
        return;
    vec_each(const struct gate_place, p, all) if (!f || break_is_of(k, p, f->name)) add_break(k, p, rule);
}

static bool is_compiled(struct checker *k, struct str name)
{
    json_t *c;
    size_t i;

    json_array_foreach(snapshot_list(k->now, "compiles"), i, c)
    {
        if (compile_is_of(k, c, name))
            return true;
    }
    return false;
}

static void require_compiled(struct checker *k, const struct function_limits *f)
{
    if (is_compiled(k, f->name))
        return;
    add(k, (struct violation){.rule = GATE_FULLGRAPH,
                              .severity = FINDING_HIGH,
                              .title = arena_printf(k->arena, "`%.*s` was not compiled", STR_ARG(f->name)),
                              .fix = STR("Check that it is called under torch.compile, and that the policy spells its "
                                         "name correctly."),
                              .function = f->name,
                              .key = arena_printf(k->arena, "fullgraph %.*s", STR_ARG(f->name))});
}

static void check_breaks(struct checker *k)
{
    bool unknown = snapshot_total(k->now, "graph_breaks") < 0, asked = k->policy->limits.graph_breaks != NO_LIMIT;
    places all = {0};

    vec_each(const struct function_limits, f, &k->policy->functions) asked |=
        f->fullgraph || f->limits.graph_breaks != NO_LIMIT;
    if (!asked)
        return;
    if (unknown) {
        add_unknown(k, "graph breaks");
        return;
    }
    find_places(k, &all);
    vec_each(const struct function_limits, f, &k->policy->functions)
    {
        if (f->fullgraph) {
            require_compiled(k, f);
            limit_breaks(k, &all, f, 0, GATE_FULLGRAPH);
        } else if (f->limits.graph_breaks != NO_LIMIT) {
            limit_breaks(k, &all, f, f->limits.graph_breaks, GATE_GRAPH_BREAKS);
        }
    }
    if (k->policy->limits.graph_breaks != NO_LIMIT)
        limit_breaks(k, &all, NULL, k->policy->limits.graph_breaks, GATE_GRAPH_BREAKS);
}

/* Recompiles of a function, on the rank that has most. */
struct again {
    struct str function, file;
    int64_t line;
    struct map ranks; /* rank or process -> how often */
    uint64_t most;
    const json_t *first;
};

static struct str rank_of(struct arena *a, const json_t *o)
{
    int64_t rank = member_number(o, "rank");

    return rank >= 0 ? arena_printf(a, "rank %lld", (long long)rank)
                     : arena_printf(a, "process %lld", (long long)member_number(o, "process"));
}

static struct str times(struct arena *a, uint64_t n)
{
    return n == 1 ? STR("once") : n == 2 ? STR("twice") : arena_printf(a, "%llu times", (unsigned long long)n);
}

static void add_again(struct checker *k, const struct again *x)
{
    const json_t *finding = map_get(&k->recompiles_of, compile_key(k->arena, x->first, "compile"));
    json_t *reason = json_array_get(json_object_get(x->first, "reasons"), 0);
    struct str words = member_text(reason, "words");

    add(k, (struct violation){.rule = GATE_RECOMPILES,
                              .severity = severity_of(finding),
                              .title = arena_printf(k->arena, "`%.*s` was compiled again %.*s: %.*s",
                                                    STR_ARG(x->function), STR_ARG(times(k->arena, x->most)),
                                                    STR_ARG(words.n ? words : STR("the run does not say why"))),
                              .fix = member_text(finding, "fix"),
                              .paste = member_text(finding, "paste"),
                              .doc = member_text(finding, "doc"),
                              .file = x->file,
                              .line = x->line,
                              .function = x->function,
                              .key = recompile_key(k->arena, x->first)});
}

static void find_again(struct checker *k)
{
    json_t *r;
    size_t i;

    json_array_foreach(snapshot_list(k->now, "recompiles"), i, r)
    {
        const json_t *frame = frame_of(r);
        struct str file = member_text(frame, "file");

        if (is_own(k, file) && !allow(k, STR(""), STR(""), file, member_number(frame, "line")) &&
            !is_known(k, recompile_key(k->arena, r)))
            vec_push(k->arena, &k->again, r);
    }
}

static struct again *again_of(struct checker *k, struct map *functions, const json_t *r)
{
    struct again *x = MAP_OBJECT(functions, recompile_key(k->arena, r), struct again);
    const json_t *frame = frame_of(r);

    if (!x->first) {
        *x = (struct again){.function = resumed_function(member_text(frame, "name")),
                            .file = member_text(frame, "file"),
                            .line = member_number(frame, "line"),
                            .first = r};
        map_init(&x->ranks, k->arena);
    }
    return x;
}

/* Checks one function or, without one, all. */
static void limit_recompiles(struct checker *k, const struct function_limits *f, int64_t most)
{
    struct map functions, ranks;
    uint64_t worst = 0;

    map_init(&functions, k->arena);
    map_init(&ranks, k->arena);
    for (size_t i = 0; i < k->again.n; i++) {
        const json_t *r = k->again.v[i];
        struct str rank = rank_of(k->arena, r);
        struct again *x;
        uint64_t n;

        if (f && !compile_is_of(k, r, f->name))
            continue;
        x = again_of(k, &functions, r);
        n = ++*map_number_at(&x->ranks, rank);
        x->most = n > x->most ? n : x->most;
        n = ++*map_number_at(&ranks, rank);
        worst = n > worst ? n : worst;
    }
    note_checked(k, format_counted(k->arena, worst, "recompile", "recompiles"), format_count(k->arena, (uint64_t)most));
    for (size_t at = 0; worst > (uint64_t)most && at < functions.n; at++)
        add_again(k, functions.entries[at].value);
}

static void check_recompiles(struct checker *k)
{
    bool asked = k->policy->limits.recompiles != NO_LIMIT;

    vec_each(const struct function_limits, f, &k->policy->functions) asked |= f->limits.recompiles != NO_LIMIT;
    if (!asked)
        return;
    if (snapshot_total(k->now, "recompiles") < 0) {
        add_unknown(k, "recompiles");
        return;
    }
    find_again(k);
    vec_each(const struct function_limits, f, &k->policy->functions) if (f->limits.recompiles != NO_LIMIT)
        limit_recompiles(k, f, f->limits.recompiles);
    if (k->policy->limits.recompiles != NO_LIMIT)
        limit_recompiles(k, NULL, k->policy->limits.recompiles);
}

/* --- time, caches ------------------------------------------------------------------------------------------------- */

static void limit_time(struct checker *k, struct str function, int64_t us, int64_t most)
{
    struct str took, limit = format_duration_us(k->arena, most);

    if (us < 0) {
        add_unknown(k, "compile time");
        return;
    }
    took = arena_printf(k->arena, "%.*s of compiling%s%.*s%s", STR_ARG(format_duration_us(k->arena, us)),
                        function.n ? " `" : "", STR_ARG(function), function.n ? "`" : "");
    note_checked(k, took, limit);
    if (us > most)
        add(k, (struct violation){.rule = GATE_COMPILE_TIME,
                                  .severity = FINDING_MEDIUM,
                                  .title = arena_printf(k->arena, "%.*s, %.*s allowed", STR_ARG(took), STR_ARG(limit)),
                                  .function = function,
                                  .key = arena_printf(k->arena, "time %.*s", STR_ARG(function))});
}

/* Compile time of a function on the slowest rank; -1 if no compile of it has a time. */
static int64_t time_of_function(struct checker *k, struct str name)
{
    struct map ranks;
    int64_t most = -1;
    json_t *c;
    size_t i;

    map_init(&ranks, k->arena);
    json_array_foreach(snapshot_list(k->now, "compiles"), i, c)
    {
        const json_t *seconds = json_object_get(c, "duration_s");
        int64_t *sum;

        if (!compile_is_of(k, c, name) || !json_is_number(seconds))
            continue;
        sum = MAP_OBJECT(&ranks, rank_of(k->arena, c), int64_t);
        *sum += (int64_t)(json_number_value(seconds) * 1e6);
        most = *sum > most ? *sum : most;
    }
    return most;
}

static void check_time(struct checker *k)
{
    if (k->policy->limits.compile_us != NO_LIMIT)
        limit_time(k, STR(""), snapshot_total_us(k->now, "compile_wall_s"), k->policy->limits.compile_us);
    vec_each(const struct function_limits, f, &k->policy->functions) if (f->limits.compile_us != NO_LIMIT)
        limit_time(k, f->name, time_of_function(k, f->name), f->limits.compile_us);
}

static void check_caches(struct checker *k)
{
    int64_t hits = snapshot_total(k->now, "cache_hits"), misses = snapshot_total(k->now, "cache_misses"),
            bypasses = snapshot_total(k->now, "cache_bypasses"), missed;
    struct str all;

    if (!k->policy->cache_hits)
        return;
    if (hits < 0 || misses < 0 || bypasses < 0 || hits + misses + bypasses == 0) {
        add_unknown(k, "cache hits");
        return;
    }
    missed = misses + bypasses;
    all = arena_printf(k->arena, "%lld of %lld cache lookups missed or were bypassed", (long long)missed,
                       (long long)(hits + missed));
    note_checked(k, all, STR("0"));
    if (missed)
        add(k, (struct violation){.rule = GATE_CACHE_HITS,
                                  .severity = FINDING_MEDIUM,
                                  .title = all,
                                  .fix = STR("The report's section on caches gives the reason for each lookup."),
                                  .key = STR("cache hits")});
}

static void check_errors(struct checker *k)
{
    uint64_t n = 0;
    json_t *e;
    size_t i;

    if (!k->policy->no_errors)
        return;
    json_array_foreach(snapshot_list(k->now, "errors"), i, e)
    {
        struct str message = member_text(e, "message"), file = member_text(e, "file"), first;
        int64_t line = member_number(e, "line");

        if (json_is_true(json_object_get(e, "silent")) || allow(k, STR("error"), STR(""), file, line) ||
            is_known(k, error_key(k->arena, e)))
            continue;
        n++;
        first = utf8_shorten(k->arena, str_split(&message, '\n'), 200);
        add(k, (struct violation){
                   .rule = GATE_ERRORS,
                   .severity = FINDING_CRITICAL,
                   .title = arena_printf(k->arena, "`%.*s`: %.*s", STR_ARG(member_text(e, "type")), STR_ARG(first)),
                   .file = file,
                   .line = line > 0 ? line : 0,
                   .key = error_key(k->arena, e)});
    }
    note_checked(k, format_counted(k->arena, n, "error", "errors"), STR("0"));
}

static void add_finding(struct checker *k, const json_t *x, enum gate_rule rule)
{
    int64_t line = member_number(x, "line");

    add(k, (struct violation){.rule = rule,
                              .severity = severity_of(x),
                              .title = member_text(x, "title"),
                              .detail = member_text(x, "detail"),
                              .fix = member_text(x, "fix"),
                              .paste = member_text(x, "paste"),
                              .doc = member_text(x, "doc"),
                              .file = member_text(x, "file"),
                              .line = line > 0 ? line : 0,
                              .key = finding_key(k->arena, x)});
}

/* Whether a rule has already listed the subject of the finding. */
static bool is_listed(struct checker *k, const json_t *x)
{
    vec_each(const struct violation, v, &k->out->list) if (v->line > 0 && v->line == member_number(x, "line") &&
                                                           str_eq(v->file, member_text(x, "file"))) return true;
    return false;
}

/* Consequences of a finding are listed with it. */
static void check_findings(struct checker *k)
{
    uint64_t limits = 0, bad = 0;
    json_t *x;
    size_t i;

    json_array_foreach(snapshot_list(k->now, "findings"), i, x)
    {
        struct str id = member_text(x, "id");
        bool limit = is_id(id, STR("recompile-limit")) && k->policy->no_recompile_limit;
        bool is_bad = severity_of(x) <= k->policy->fail_on && k->policy->fail_on != FINDING_SEVERITIES &&
                      member_text(x, "follows_from").n == 0 && !(k->policy->no_errors && is_id(id, STR("error")));

        if ((!limit && !is_bad) || allow(k, id, STR(""), member_text(x, "file"), member_number(x, "line")) ||
            is_known(k, finding_key(k->arena, x)) || is_listed(k, x))
            continue;
        limits += limit;
        bad += is_bad;
        add_finding(k, x, limit ? GATE_RECOMPILE_LIMIT : GATE_FINDINGS);
    }
    if (k->policy->no_recompile_limit)
        note_checked(
            k, format_counted(k->arena, limits, "function at the recompile limit", "functions at the recompile limit"),
            STR("0"));
    if (k->policy->fail_on != FINDING_SEVERITIES)
        note_checked(k,
                     arena_printf(k->arena, "%.*s of severity %s or worse",
                                  STR_ARG(format_counted(k->arena, bad, "finding", "findings")),
                                  finding_severity_name(k->policy->fail_on)),
                     STR("0"));
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void know(struct checker *k, const char *list, struct str (*key)(struct arena *, const json_t *))
{
    json_t *item;
    size_t i;

    json_array_foreach(snapshot_list(k->baseline, list), i, item)
    {
        ++*map_number_at(&k->known, key(k->arena, item));
    }
}

static void know_baseline(struct checker *k)
{
    map_init(&k->known, k->arena);
    if (!k->baseline)
        return;
    know(k, "graph_breaks", break_key);
    know(k, "recompiles", recompile_key);
    know(k, "errors", error_key);
    know(k, "findings", finding_key);
}

static int by_severity(const void *pa, const void *pb)
{
    const struct violation *a = pa, *b = pb;

    if (a->severity != b->severity)
        return a->severity < b->severity ? -1 : 1;
    if (a->rule != b->rule)
        return a->rule < b->rule ? -1 : 1;
    return str_cmp(a->file, b->file) ? str_cmp(a->file, b->file) : (a->line > b->line) - (a->line < b->line);
}

void gate_check(struct arena *a, struct policy *policy, const struct snapshot *now, const struct snapshot *baseline,
                struct gate *out)
{
    struct checker k = {.arena = a, .policy = policy, .now = now, .baseline = baseline, .out = out};

    *out = (struct gate){0};
    index_compiles(&k);
    index_findings(&k);
    know_baseline(&k);
    check_errors(&k);
    check_breaks(&k);
    check_recompiles(&k);
    check_time(&k);
    check_caches(&k);
    check_findings(&k);
    if (out->list.n)
        qsort(out->list.v, out->list.n, sizeof *out->list.v, by_severity);
    vec_each(const struct allowance, x, &policy->allow) if (!x->used) vec_push(a, &out->unused, x);
}
