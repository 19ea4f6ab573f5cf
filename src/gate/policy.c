#include "gate/policy.h"

#include "util/formats/yaml.h"
#include "util/number.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

enum { COUNT_MAX = 1000000000 };

struct policy policy_empty(void)
{
    return (struct policy){.limits = {NO_LIMIT, NO_LIMIT, NO_LIMIT}, .fail_on = FINDING_SEVERITIES};
}

static bool limits_ask(const struct limits *l)
{
    return l->graph_breaks != NO_LIMIT || l->recompiles != NO_LIMIT || l->compile_us != NO_LIMIT;
}

bool policy_asks(const struct policy *p)
{
    vec_each(const struct function_limits, f, &p->functions) if (f->fullgraph || limits_ask(&f->limits)) return true;
    return limits_ask(&p->limits) || p->no_errors || p->no_recompile_limit || p->cache_hits ||
           p->fail_on != FINDING_SEVERITIES;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

bool policy_time(struct str text, int64_t *us)
{
    static const struct {
        struct str name;
        double us;
    } units[] = {{STR_INIT(""), 1e6},  {STR_INIT("s"), 1e6},   {STR_INIT("ms"), 1e3},
                 {STR_INIT("m"), 6e7}, {STR_INIT("min"), 6e7}, {STR_INIT("h"), 3.6e9}};
    char number[40], *end;
    double v;

    if (!str_terminate(text, number, sizeof number) || *number < '0' || *number > '9')
        return false;
    v = strtod(number, &end);
    text = str_trim(str_skip(text, (size_t)(end - number)));
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_eq(text, units[i].name) && isfinite(v)) {
            *us = int_of_real(v * units[i].us);
            return true;
        }
    return false;
}

bool policy_severity(struct str text, enum finding_severity *out)
{
    for (int s = 0; s < FINDING_SEVERITIES; s++)
        if (str_eq(text, str_of(finding_severity_name(s)))) {
            *out = (enum finding_severity)s;
            return true;
        }
    return false;
}

struct function_limits *policy_function(struct policy *p, struct arena *a, struct str name)
{
    vec_each(struct function_limits, f, &p->functions) if (str_eq(f->name, name)) return f;
    vec_push(a, &p->functions,
             ((struct function_limits){.name = arena_str(a, name), .limits = {NO_LIMIT, NO_LIMIT, NO_LIMIT}}));
    return &p->functions.v[p->functions.n - 1];
}

/* No id of a finding and no number of a type of graph break looks like a path. */
static bool is_path(struct str s)
{
    return str_chr(s, '/') >= 0 || str_chr(s, '.') >= 0 || str_chr(s, '*') >= 0;
}

bool policy_allow(struct policy *p, struct arena *a, struct str text)
{
    struct allowance x = {.text = arena_str(a, text)};
    ptrdiff_t colon = str_rchr(text, ':');
    uint64_t line;

    if (colon > 0 && str_u64(str_skip(text, (size_t)colon + 1), &line) && line > 0 && line < INT32_MAX) {
        x.file = str_take(x.text, (size_t)colon);
        x.line = (int64_t)line;
    } else if (is_path(text)) {
        x.file = x.text;
    } else {
        x.id = x.text;
    }
    if (text.n == 0)
        return false;
    vec_push(a, &p->allow, x);
    return true;
}

/* "train.py" is the end of "/home/me/train.py", but not of "/home/me/retrain.py". */
static bool ends_as_path(struct str path, struct str end)
{
    return str_ends(path, end) && (path.n == end.n || path.p[path.n - end.n - 1] == '/' || *end.p == '/');
}

bool allowance_has_file(const struct allowance *x, struct arena *a, struct str file)
{
    if (x->file.n == 0)
        return true;
    if (file.n == 0)
        return false;
    if (str_chr(x->file, '*') < 0 && str_chr(x->file, '?') < 0)
        return ends_as_path(file, x->file);
    return fnmatch(arena_printf(a, "%.*s", STR_ARG(x->file)).p, arena_printf(a, "%.*s", STR_ARG(file)).p, 0) == 0 ||
           fnmatch(arena_printf(a, "*/%.*s", STR_ARG(x->file)).p, arena_printf(a, "%.*s", STR_ARG(file)).p, 0) == 0;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

struct policy_reader {
    struct policy *policy;
    struct arena *arena;
    struct str *why;
};

static bool fail(struct policy_reader *r, uint64_t line, struct str text)
{
    *r->why = arena_printf(r->arena, "line %llu: %.*s", (unsigned long long)line, STR_ARG(text));
    return false;
}

struct policy_key {
    const char *name;
    bool (*read)(struct policy_reader *r, const struct yaml_node *value, void *field);
    void *field;
};

static bool read_keys(struct policy_reader *r, const struct yaml_node *map, const struct policy_key *keys)
{
    if (map->kind != YAML_MAP)
        return fail(r, map->line, STR("expected a map of keys and values"));
    for (size_t i = 0; i < map->keys.n; i++) {
        const struct policy_key *key = keys;
        struct str known = {"", 0};

        for (; key->name && !str_eq(map->keys.v[i]->text, str_of(key->name)); key++)
            known = arena_printf(r->arena, "%.*s%s%s", STR_ARG(known), known.n ? ", " : "", key->name);
        if (!key->name)
            return fail(r, map->keys.v[i]->line,
                        arena_printf(r->arena, "unknown key `%.*s`; there are %.*s", STR_ARG(map->keys.v[i]->text),
                                     STR_ARG(known)));
        if (!key->read(r, map->values.v[i], key->field))
            return false;
    }
    return true;
}

static bool read_count(struct policy_reader *r, const struct yaml_node *value, void *field)
{
    int64_t n;

    if (value->kind != YAML_TEXT || !str_i64(value->text, &n) || n < 0 || n > COUNT_MAX)
        return fail(r, value->line, STR("expected a whole number, 0 or more"));
    *(int64_t *)field = n;
    return true;
}

static bool read_time(struct policy_reader *r, const struct yaml_node *value, void *field)
{
    if (value->kind == YAML_TEXT && policy_time(value->text, field))
        return true;
    return fail(r, value->line, STR("expected a time such as 90s, 1.5s, 15min or 2h"));
}

static bool read_flag(struct policy_reader *r, const struct yaml_node *value, void *field)
{
    bool yes = value->kind == YAML_TEXT && str_eq(value->text, STR("true"));

    if (!yes && (value->kind != YAML_TEXT || !str_eq(value->text, STR("false"))))
        return fail(r, value->line, STR("expected true or false"));
    *(bool *)field = yes;
    return true;
}

static bool read_severity(struct policy_reader *r, const struct yaml_node *value, void *field)
{
    if (value->kind == YAML_TEXT && policy_severity(value->text, field))
        return true;
    return fail(r, value->line, STR("expected critical, high, medium, low or info"));
}

/* A text, or a list of texts; passes each to `take`. */
static bool read_texts(struct policy_reader *r, const struct yaml_node *value,
                       bool (*take)(struct policy_reader *, struct str))
{
    if (value->kind == YAML_MAP)
        return fail(r, value->line, STR("expected a text or a list of texts"));
    if (value->kind == YAML_TEXT)
        return take(r, value->text) || fail(r, value->line, STR("an empty text"));
    for (size_t i = 0; i < value->values.n; i++)
        if (!read_texts(r, value->values.v[i], take))
            return false;
    return true;
}

static bool take_allowance(struct policy_reader *r, struct str text)
{
    return policy_allow(r->policy, r->arena, text);
}

static bool take_own_path(struct policy_reader *r, struct str text)
{
    vec_push(r->arena, &r->policy->own_paths, arena_str(r->arena, text));
    return text.n > 0;
}

static bool take_fullgraph(struct policy_reader *r, struct str text)
{
    policy_function(r->policy, r->arena, text)->fullgraph = true;
    return text.n > 0;
}

static bool read_allow(struct policy_reader *r, const struct yaml_node *value, void *field)
{
    (void)field;
    return read_texts(r, value, take_allowance);
}

static bool read_own_path(struct policy_reader *r, const struct yaml_node *value, void *field)
{
    (void)field;
    return read_texts(r, value, take_own_path);
}

static bool read_fullgraph(struct policy_reader *r, const struct yaml_node *value, void *field)
{
    (void)field;
    return read_texts(r, value, take_fullgraph);
}

static bool read_functions(struct policy_reader *r, const struct yaml_node *value, void *field)
{
    (void)field;
    if (value->kind != YAML_MAP)
        return fail(r, value->line, STR("expected a map of functions"));
    for (size_t i = 0; i < value->keys.n; i++) {
        struct function_limits *f = policy_function(r->policy, r->arena, value->keys.v[i]->text);
        const struct policy_key keys[] = {{"max_graph_breaks", read_count, &f->limits.graph_breaks},
                                          {"max_recompiles", read_count, &f->limits.recompiles},
                                          {"max_compile_time", read_time, &f->limits.compile_us},
                                          {"fullgraph", read_flag, &f->fullgraph},
                                          {NULL, NULL, NULL}};

        if (!read_keys(r, value->values.v[i], keys))
            return false;
    }
    return true;
}

bool policy_read(struct policy *p, struct arena *a, struct str text, struct str *why)
{
    struct policy_reader r = {p, a, why};
    struct yaml_error error = {0};
    const struct yaml_node *root = yaml_parse(a, text, &error);
    const struct policy_key keys[] = {{"max_graph_breaks", read_count, &p->limits.graph_breaks},
                                      {"max_recompiles", read_count, &p->limits.recompiles},
                                      {"max_compile_time", read_time, &p->limits.compile_us},
                                      {"no_errors", read_flag, &p->no_errors},
                                      {"no_recompile_limit", read_flag, &p->no_recompile_limit},
                                      {"require_cache_hits", read_flag, &p->cache_hits},
                                      {"fail_on", read_severity, &p->fail_on},
                                      {"fullgraph", read_fullgraph, NULL},
                                      {"own_path", read_own_path, NULL},
                                      {"allow", read_allow, NULL},
                                      {"functions", read_functions, NULL},
                                      {NULL, NULL, NULL}};

    if (!root)
        return fail(&r, error.line, error.text);
    return read_keys(&r, root, keys);
}
