#include "relaunch/workload/workload.h"

#include "relaunch/workload/pattern.h"
#include "util/formats/yaml.h"

#include <math.h>
#include <stdlib.h>

enum { TIME_MAX_S = 30 * 24 * 3600, VARIANTS_MAX = 200, CHECKS_MAX = 50 };

static const char *const launcher_names[LAUNCHERS] = {"none", "torchrun", "mpirun", "srun"};
static const char *const caches_names[] = {"as-is", "cold", "warm"};
static const char *const dynamic_names[] = {"as-is", "none", "true", "false"};
static const char *const check_names[CHECK_KINDS] = {"exit", "output", "file"};

const char *launcher_name(enum workload_launcher l)
{
    return launcher_names[l];
}

const char *caches_name(enum caches c)
{
    return caches_names[c];
}

const char *check_kind_name(enum check_kind k)
{
    return check_names[k];
}

const char *dynamic_name(enum dynamic_shapes d)
{
    return dynamic_names[d];
}

struct workload workload_empty(void)
{
    return (struct workload){.repeats = 1};
}

/* --- what a file may say ------------------------------------------------------------------------------------------ */

struct workload_reader {
    struct arena *arena;
    struct workload_error *error;
};

static bool fail(struct workload_reader *r, uint64_t line, struct str text)
{
    *r->error = (struct workload_error){line, text};
    return false;
}

struct workload_key;
typedef bool read_fn(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                     void *field);

/* A key of a map, and where its value is stored. */
struct workload_key {
    const char *name;
    read_fn *read;
    void *field;
    int64_t min, max;
};

static bool read_keys(struct workload_reader *r, const struct yaml_node *map, const struct workload_key *keys, size_t n)
{
    if (map->kind != YAML_MAP)
        return fail(r, map->line, STR("expected a map of keys and values"));
    for (size_t i = 0; i < map->keys.n; i++) {
        const struct workload_key *key = keys;
        struct str known = {"", 0};

        for (; key < keys + n && !str_eq(map->keys.v[i]->text, str_of(key->name)); key++)
            known = arena_printf(r->arena, "%.*s%s%s", STR_ARG(known), known.n ? ", " : "", key->name);
        if (key == keys + n)
            return fail(r, map->keys.v[i]->line,
                        arena_printf(r->arena, "unknown key `%.*s`; there are %.*s", STR_ARG(map->keys.v[i]->text),
                                     STR_ARG(known)));
        if (!key->read(r, key, map->values.v[i], key->field))
            return false;
    }
    return true;
}

static bool want_text(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value)
{
    if (value->kind == YAML_TEXT)
        return true;
    return fail(r, value->line, arena_printf(r->arena, "`%s` must be a text", key->name));
}

/* The text becomes part of a command line or an environment. */
static bool read_text(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                      void *field)
{
    if (!want_text(r, key, value))
        return false;
    if (str_chr(value->text, '\0') >= 0)
        return fail(r, value->line, arena_printf(r->arena, "`%s` holds a NUL byte", key->name));
    *(struct str *)field = arena_str(r->arena, value->text);
    return true;
}

static bool read_number(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                        void *field)
{
    if (value->kind == YAML_TEXT && str_i64(value->text, field) && *(int64_t *)field >= key->min &&
        *(int64_t *)field <= key->max)
        return true;
    return fail(r, value->line,
                arena_printf(r->arena, "`%s` must be a whole number from %lld to %lld", key->name, (long long)key->min,
                             (long long)key->max));
}

static bool read_real(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                      void *field)
{
    char *end = NULL;
    double v = value->kind == YAML_TEXT ? strtod(arena_str(r->arena, value->text).p, &end) : NAN;

    if (!(v >= 0) || !end || *end || value->text.n == 0)
        return fail(r, value->line, arena_printf(r->arena, "`%s` must be a number that is not negative", key->name));
    *(double *)field = v;
    return true;
}

static bool read_switch(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                        void *field)
{
    bool yes = value->kind == YAML_TEXT && str_eq(value->text, STR("true"));

    if (!yes && !(value->kind == YAML_TEXT && str_eq(value->text, STR("false"))))
        return fail(r, value->line, arena_printf(r->arena, "`%s` must be true or false", key->name));
    *(bool *)field = yes;
    return true;
}

/* One of several words; an enum's value is the word's index. */
static bool read_word(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                      const char *const *words, size_t n, int *out)
{
    struct str known = {"", 0};

    for (size_t i = 0; i < n; i++) {
        if (value->kind == YAML_TEXT && str_eq(value->text, str_of(words[i]))) {
            *out = (int)i;
            return true;
        }
        known = arena_printf(r->arena, "%.*s%s%s", STR_ARG(known), i ? ", " : "", words[i]);
    }
    return fail(r, value->line, arena_printf(r->arena, "`%s` must be one of %.*s", key->name, STR_ARG(known)));
}

static bool read_launcher(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                          void *field)
{
    int i;

    if (!read_word(r, key, value, launcher_names, LAUNCHERS, &i))
        return false;
    *(enum workload_launcher *)field = (enum workload_launcher)i;
    return true;
}

static bool read_caches(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                        void *field)
{
    int i;

    if (!read_word(r, key, value, caches_names, CACHES_WARM + 1, &i))
        return false;
    *(enum caches *)field = (enum caches)i;
    return true;
}

static bool read_dynamic(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                         void *field)
{
    int i;

    if (!read_word(r, key, value, dynamic_names, DYNAMIC_FALSE + 1, &i))
        return false;
    *(enum dynamic_shapes *)field = (enum dynamic_shapes)i;
    return true;
}

bool workload_time(struct str text, int64_t *seconds)
{
    static const struct {
        struct str name;
        int64_t seconds;
    } units[] = {
        {STR_INIT(""), 1}, {STR_INIT("s"), 1}, {STR_INIT("m"), 60}, {STR_INIT("min"), 60}, {STR_INIT("h"), 3600}};
    uint64_t n;

    if (!str_take_u64(&text, &n) || n > TIME_MAX_S)
        return false;
    text = str_trim(text);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_eq(text, units[i].name)) {
            *seconds = (int64_t)n * units[i].seconds;
            return *seconds >= 1 && *seconds <= TIME_MAX_S;
        }
    return false;
}

static bool read_time(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                      void *field)
{
    if (value->kind == YAML_TEXT && workload_time(value->text, field))
        return true;
    return fail(r, value->line,
                arena_printf(r->arena, "`%s` must be a time such as 90, 90s, 15min or 2h, 30 days at most", key->name));
}

/* Only a name that a shell accepts, so that the command line that is printed works. */
static bool is_variable(struct str name)
{
    for (size_t i = 0; i < name.n; i++) {
        bool letter = (name.p[i] | 32) >= 'a' && (name.p[i] | 32) <= 'z';

        if (!letter && name.p[i] != '_' && !(i && str_is_digit(name.p[i])))
            return false;
    }
    return name.n > 0;
}

static bool read_environment(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                             void *field)
{
    setting_list *list = field;

    if (value->kind != YAML_MAP)
        return fail(r, value->line, arena_printf(r->arena, "`%s` must be a map of names and values", key->name));
    for (size_t i = 0; i < value->keys.n; i++) {
        struct env_setting s = {.name = arena_str(r->arena, value->keys.v[i]->text)};
        const struct workload_key one = {.name = s.name.p};

        if (!is_variable(s.name))
            return fail(r, value->keys.v[i]->line,
                        arena_printf(r->arena, "`%.*s` is not a valid variable name", STR_ARG(s.name)));
        if (!read_text(r, &one, value->values.v[i], &s.value))
            return false;
        vec_push(r->arena, list, s);
    }
    return true;
}

static bool read_unset(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                       void *field)
{
    setting_list *list = field;

    if (value->kind != YAML_LIST)
        return fail(r, value->line, arena_printf(r->arena, "`%s` must be a list of names", key->name));
    for (size_t i = 0; i < value->values.n; i++) {
        const struct yaml_node *name = value->values.v[i];

        if (name->kind != YAML_TEXT || !is_variable(name->text))
            return fail(r, name->line, STR("this is not a valid variable name"));
        vec_push(r->arena, list, ((struct env_setting){.name = arena_str(r->arena, name->text), .unset = true}));
    }
    return true;
}

static bool read_command(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                         void *field)
{
    struct workload *w = field;

    if (value->kind == YAML_TEXT) {
        struct str text;

        return read_text(r, key, value, &text) &&
               (workload_split(r->arena, text, w) || fail(r, value->line, STR("a quote in `command` is never closed")));
    }
    if (value->kind != YAML_LIST)
        return fail(r, value->line, STR("`command` must be a line of text, or a list of words"));
    for (size_t i = 0; i < value->values.n; i++)
        if (!read_text(r, key, value->values.v[i], vec_add(r->arena, &w->command)))
            return false;
    return true;
}

/* --- variants and checks ------------------------------------------------------------------------------------------ */

#define WHAT_IF_KEYS(w)                                                                                                \
    {"backend", read_text, &(w)->backend, 0, 0}, {"mode", read_text, &(w)->mode, 0, 0},                                \
        {"dynamic", read_dynamic, &(w)->dynamic, 0, 0}, {"fullgraph", read_switch, &(w)->fullgraph, 0, 0},             \
        {"recompile-limit", read_number, &(w)->recompile_limit, 1, RECOMPILE_LIMIT_MAX},                               \
        {"disable", read_text, &(w)->disable, 0, 0},                                                                   \
    {                                                                                                                  \
        "config", read_text, &(w)->config, 0, 0                                                                        \
    }

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The name becomes the name of a directory. */
static bool is_name(struct str name)
{
    for (size_t i = 0; i < name.n; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+=-", name.p[i]))
            return false;
    return name.n > 0 && name.n <= 64 && name.p[0] != '.' && name.p[0] != '-';
}

static bool name_is_taken(const struct workload *w, struct str name)
{
    static const char *const ours[] = {"base", "report", "workload.yaml", "run.json"};

    for (size_t i = 0; i < COUNT(ours); i++)
        if (str_eq(name, str_of(ours[i])))
            return true;
    for (size_t i = 0; i + 1 < w->variants.n; i++)
        if (str_eq(w->variants.v[i].name, name))
            return true;
    return false;
}

static bool read_variant(struct workload_reader *r, const struct yaml_node *node, struct workload *w)
{
    struct variant *v = vec_add(r->arena, &w->variants);
    const struct workload_key keys[] = {{"name", read_text, &v->name, 0, 0},
                                        {"python", read_text, &v->python, 0, 0},
                                        {"environment", read_environment, &v->environment, 0, 0},
                                        {"unset", read_unset, &v->environment, 0, 0},
                                        WHAT_IF_KEYS(&v->what_if)};

    if (!read_keys(r, node, keys, COUNT(keys)))
        return false;
    if (!is_name(v->name))
        return fail(r, node->line,
                    STR("a variant needs a `name` of letters, digits and _ . + = -, which becomes the name of a "
                        "directory"));
    if (name_is_taken(w, v->name))
        return fail(r, node->line, arena_printf(r->arena, "the name `%.*s` is already taken", STR_ARG(v->name)));
    return true;
}

static bool read_check(struct workload_reader *r, const struct yaml_node *node, struct workload *w)
{
    struct check *c = vec_add(r->arena, &w->checks);
    struct str output = {0}, file = {0}, wrong = {0};
    int64_t status = INT64_MIN;
    const struct workload_key keys[] = {{"exit", read_number, &status, 0, 255},
                                        {"output", read_text, &output, 0, 0},
                                        {"file", read_text, &file, 0, 0},
                                        {"rtol", read_real, &c->rtol, 0, 0},
                                        {"atol", read_real, &c->atol, 0, 0}};

    c->rtol = c->atol = CHECK_TOLERANCE_UNSET;
    if (!read_keys(r, node, keys, COUNT(keys)))
        return false;
    if ((status >= 0) + (output.n > 0) + (file.n > 0) != 1)
        return fail(r, node->line, STR("a check has one of exit, output and file"));
    c->kind = status >= 0 ? CHECK_EXIT : output.n ? CHECK_OUTPUT : CHECK_FILE;
    c->status = status >= 0 ? status : 0;
    c->text = output.n ? output : file;
    wrong = c->kind == CHECK_OUTPUT ? pattern_error(r->arena, c->text) : wrong;
    return wrong.n == 0 || fail(r, node->line, wrong);
}

typedef bool read_one_fn(struct workload_reader *r, const struct yaml_node *node, struct workload *w);

static bool read_each(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                      struct workload *w, read_one_fn *read)
{
    if (value->kind != YAML_LIST)
        return fail(r, value->line, arena_printf(r->arena, "`%s` must be a list", key->name));
    if (value->values.n > (size_t)key->max)
        return fail(r, value->line, arena_printf(r->arena, "`%s`: %lld at most", key->name, (long long)key->max));
    for (size_t i = 0; i < value->values.n; i++)
        if (!read(r, value->values.v[i], w))
            return false;
    return true;
}

static bool read_variants(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                          void *field)
{
    return read_each(r, key, value, field, read_variant);
}

static bool read_checks(struct workload_reader *r, const struct workload_key *key, const struct yaml_node *value,
                        void *field)
{
    return read_each(r, key, value, field, read_check);
}

static struct str absolute(struct arena *a, struct str base, struct str path)
{
    if (path.n == 0)
        return arena_str(a, base);
    return str_starts(path, STR("/")) ? path : arena_printf(a, "%.*s/%.*s", STR_ARG(base), STR_ARG(path));
}

bool workload_parse(struct arena *a, struct str text, struct str base, struct workload *out,
                    struct workload_error *error)
{
    struct workload_reader r = {a, error};
    struct yaml_error no_yaml = {0};
    const struct yaml_node *root = yaml_parse(a, text, &no_yaml);
    const struct workload_key keys[] = {{"command", read_command, out, 0, 0},
                                        {"directory", read_text, &out->directory, 0, 0},
                                        {"environment", read_environment, &out->environment, 0, 0},
                                        {"unset", read_unset, &out->environment, 0, 0},
                                        {"python", read_text, &out->python, 0, 0},
                                        {"launcher", read_launcher, &out->launcher, 0, 0},
                                        {"ranks", read_number, &out->ranks, 1, RANKS_MAX},
                                        {"repeats", read_number, &out->repeats, 1, REPEATS_MAX},
                                        {"time-limit", read_time, &out->time_limit_s, 0, 0},
                                        {"gpus", read_text, &out->gpus, 0, 0},
                                        {"caches", read_caches, &out->caches, 0, 0},
                                        {"why", read_text, &out->question, 0, 0},
                                        {"torch-logs", read_text, &out->torch_logs, 0, 0},
                                        {"ablate", read_switch, &out->ablate, 0, 0},
                                        {"bisect", read_switch, &out->bisect, 0, 0},
                                        {"minify", read_switch, &out->minify, 0, 0},
                                        {"fix", read_switch, &out->fix, 0, 0},
                                        {"fix-limit", read_number, &out->fix_limit, 1, FIX_LIMIT_MAX},
                                        {"gpu", read_switch, &out->needs_gpu, 0, 0},
                                        {"gpu-activity", read_text, &out->gpu_activity, 0, 0},
                                        WHAT_IF_KEYS(&out->what_if),
                                        {"bisect-variants", read_switch, &out->bisect_variants, 0, 0},
                                        {"variants", read_variants, out, 0, VARIANTS_MAX},
                                        {"checks", read_checks, out, 0, CHECKS_MAX}};

    *out = workload_empty();
    if (!root)
        return fail(&r, no_yaml.line, no_yaml.text);
    if (!read_keys(&r, root, keys, COUNT(keys)))
        return false;
    if (out->command.n == 0 || out->command.v[0].n == 0)
        return fail(&r, root->line, STR("`command` is missing: the program to run"));
    out->directory = absolute(a, base, out->directory);
    return true;
}

/* --- command lines ------------------------------------------------------------------------------------------------ */

/* Takes one word off the front of s and appends it to b. False if a quote is not closed. */
static bool take_word(struct str *s, struct buf *b)
{
    char quote = '\0';

    while (s->n && (quote || !strchr(" \t\n", s->p[0]))) {
        char c = s->p[0];

        *s = str_skip(*s, 1);
        if (c == quote && quote) {
            quote = '\0';
        } else if (!quote && (c == '\'' || c == '"')) {
            quote = c;
        } else if (c == '\\' && quote != '\'' && s->n) {
            buf_char(b, s->p[0]);
            *s = str_skip(*s, 1);
        } else {
            buf_char(b, c);
        }
    }
    return quote == '\0';
}

bool workload_split(struct arena *a, struct str text, struct workload *out)
{
    struct buf b = {0};
    bool closed = true;

    for (text = str_trim(text); text.n && closed; text = str_trim(text)) {
        b.n = 0;
        closed = take_word(&text, &b);
        vec_push(a, &out->command, arena_str(a, buf_view(&b)));
    }
    buf_free(&b);
    return closed;
}
