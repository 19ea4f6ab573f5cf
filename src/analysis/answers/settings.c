#include "analysis/answers/settings.h"

#include "analysis/answers/versions.h"
#include "model/read/artifact_text.h"
#include "text/python/python_value.h"
#include "text/versions/config_text.h"
#include "text/versions/names.h"
#include "util/map.h"

#include <stdlib.h>

enum {
    CONFIGS_READ_MAX = 64,    /* a program changes its settings a few times at most */
    COMPILES_LISTED_MAX = 64, /* for one setting, as evidence */
    USES_MAX = 2000,
    SETS_MAX = 32,
};

/* A configuration in the metrics, and the module whose settings it has. */
static const struct {
    const char *metric;
    struct str module;
} configs[] = {
    {"dynamo_config", STR_INIT("torch._dynamo.config.")},
    {"inductor_config", STR_INIT("torch._inductor.config.")},
    {"functorch_config", STR_INIT("torch._functorch.config.")},
    {"compiler_config", STR_INIT("torch.compiler.config.")},
};
enum { CONFIGS = sizeof configs / sizeof *configs, INDUCTOR = 1 };

/* What a record says about one setting. */
struct found {
    struct str name, value, usual;
    bool environment;
    bool is_default;
    bool assigned;   /* by the compile's program */
    bool passing;    /* the same, but the configuration has another value */
    struct str form; /* not empty: PyTorch sets it; the value as written in its table */
};

struct founds {
    VEC(struct found) list;
    bool whole; /* the configuration could be read completely */
};

struct collector {
    struct arena *arena, *scratch;
    struct map uses;       /* "name = value" -> struct setting_use */
    struct map seen, read; /* configurations, by location and by text: most compiles have the same */
    struct buf key;
    struct settings_used *out;
};

const char *set_by_name(enum set_by by)
{
    static const char *const names[] = {"user", "options", "environment", "pytorch"};

    return names[by];
}

/* For a version newer than the table, the newest known defaults at least show what is unremarkable. */
static bool is_default(struct str name, struct str value, struct str version, struct str *usual)
{
    struct str newest;

    if (setting_default(name, version, usual))
        return python_values_equal(value, *usual);
    *usual = (struct str){0};
    return pytorch_version(version) > pytorch_version(names_newest()) &&
           setting_default(name, names_newest(), &newest) && python_values_equal(value, newest);
}

/* --- fx_graph_runnable -------------------------------------------------------------------------------------------- */

/* Forward and backward of one compile have the same user settings. */
static const struct artifact *runnable_of(const struct compile *c)
{
    return compile_artifact(c, ARTIFACT_FX_GRAPH_RUNNABLE);
}

static struct str head_of(struct arena *a, const struct artifact *runnable)
{
    struct artifact_reader reader = {.budget = READ_HEAD};
    struct str head = arena_str(a, artifact_reader_next(&reader, runnable));

    buf_free(&reader.text);
    return head;
}

/* Its program was written by the process that filled the cache. */
static bool is_from_cache(const struct compile *c)
{
    vec_each(const struct cache_event, e,
             &c->cache_events) if (e->outcome == CACHE_HIT &&
                                   (e->layer == CACHE_PRECOMPILE || e->layer == CACHE_AOTAUTOGRAD ||
                                    e->layer == CACHE_FX_GRAPH)) return true;
    return false;
}

static bool is_of_other_process(const struct setting *s)
{
    return s->environment ||
           !(str_starts(s->name, configs[INDUCTOR].module) || str_starts(s->name, STR("torch._functorch.config.")));
}

/* The variable that turned on the trace does not change what is compiled. */
static bool is_tracing(const struct setting *s)
{
    return s->environment && str_eq(s->name, STR("TORCH_TRACE"));
}

static void read_program(struct collector *k, const struct compile *c, const struct artifact *runnable,
                         struct founds *out)
{
    struct str version = process_pytorch(c->process), head = head_of(k->scratch, runnable);
    bool cached = is_from_cache(c);
    struct settings all = {0};

    k->out->known |= head.n > 0;
    settings_parse(k->scratch, head, &all);
    vec_each(const struct setting, s, &all.list)
    {
        struct found f = {.name = s->name, .value = s->value, .environment = s->environment};

        if (is_tracing(s) || (cached && is_of_other_process(s)))
            continue;
        if (!s->environment) {
            f.name = setting_real_name(s->name, version);
            f.is_default = is_default(f.name, f.value, version, &f.usual);
            f.assigned = true;
        }
        vec_push(k->scratch, &out->list, f);
    }
}

/* --- configurations in the metrics -------------------------------------------------------------------------------- */

static struct found *find(const struct founds *founds, struct str name)
{
    vec_each(struct found, f, &founds->list) if (!f->environment && str_eq(f->name, name)) return f;
    return NULL;
}

/* What PyTorch writes for a function and similar values. */
static struct str print_value(struct collector *k, json_t *value)
{
    if (str_eq(json_str(value), STR("Value is not JSON serializable")))
        return STR("(not recorded)");
    return python_print(k->scratch, value);
}

static void compare_config(struct collector *k, struct str text, struct str module, struct str version,
                           struct founds *out)
{
    struct json_doc doc = {0};
    const char *key;
    json_t *value;

    out->whole = json_doc_load_whole(&doc, text) && json_is_object(doc.root);
    if (out->whole)
        json_object_foreach(doc.root, key, value)
        {
            struct str name = arena_printf(k->scratch, "%.*s%s", STR_ARG(module), key);
            struct found f = {.name = setting_real_name(name, version), .value = print_value(k, value)};

            if (is_default(f.name, f.value, version, &f.usual) || f.usual.n == 0 || find(out, f.name))
                continue;
            f.name = arena_str(k->arena, f.name);
            f.value = arena_str(k->arena, f.value);
            vec_push(k->arena, &out->list, f);
        }
    json_doc_free(&doc);
}

/* The settings that differ in the configuration; NULL if the compile has none. */
static const struct founds *read_config(struct collector *k, const struct compile *c, size_t config)
{
    struct str text = metrics_str(compile_metrics(c, METRICS_FORWARD), configs[config].metric);
    void **here, **read;

    if (text.n == 0)
        return NULL;
    /* Interned: within a file the same text is the same pointer, and nearly always in all ranks too. */
    here = map_at_copy(&k->seen, MAP_KEY(text.p));
    if (*here)
        return *here;
    read = map_at(&k->read, text);
    if (!*read) {
        *read = ARENA_NEW(k->arena, struct founds);
        *(struct founds *)*read = (struct founds){0};
        if (k->read.n <= CONFIGS_READ_MAX)
            compare_config(k, text, configs[config].module, process_pytorch(c->process), *read);
    }
    *here = *read;
    return *here;
}

/*
 * The configuration is the one at the end of the compile, when torch.compile(options=...) is over. It has all settings
 * of Inductor, and only those can be options.
 */
static void note_passing(struct founds *founds, const struct founds *inductor)
{
    vec_each(struct found, f, &founds->list)
    {
        const struct found *stays = find(inductor, f->name);

        f->passing = f->assigned && f->usual.n && str_starts(f->name, configs[INDUCTOR].module) &&
                     !(stays && python_values_equal(stays->value, f->value));
    }
}

/* The assignments of the compile's own program take precedence, even to the default. */
static void add_config(struct collector *k, const struct founds *config, struct founds *out)
{
    vec_each(const struct found, f, &config->list) if (!find(out, f->name)) vec_push(k->scratch, &out->list, *f);
}

/* --- what PyTorch sets -------------------------------------------------------------------------------------------- */

static struct found *find_patch(const struct founds *founds, const struct name_patch *p)
{
    vec_each(struct found, f, &founds->list) if (f->environment == p->variable && !f->is_default &&
                                                 str_eq(f->name, p->name) && names_patch_has(p, f->value)) return f;
    return NULL;
}

/* Finds which of the sets with the most matching lines apply to the compile. */
static void find_sets(const struct founds *founds, bool *met)
{
    unsigned lines[SETS_MAX] = {0}, found[SETS_MAX] = {0};
    struct str rest = names_by_pytorch;
    struct name_patch p;

    while (names_next_patch(&rest, &p))
        if (p.set < SETS_MAX) {
            lines[p.set]++;
            found[p.set] += find_patch(founds, &p) != NULL;
        }
    for (size_t i = 1; i < SETS_MAX; i++)
        met[i] = found[i] >= 3 && found[i] * 4 >= lines[i] * 3;
    met[0] = true;
}

static void find_patches(const struct founds *founds)
{
    struct str rest = names_by_pytorch;
    bool met[SETS_MAX];
    struct name_patch p;
    struct found *f;

    find_sets(founds, met);
    while (names_next_patch(&rest, &p))
        if (p.set < SETS_MAX && met[p.set] && (f = find_patch(founds, &p)))
            f->form = p.value;
}

/* --- all of the run ----------------------------------------------------------------------------------------------- */

/* NULL if there are too many: a hostile trace. */
static struct setting_use *use_of(struct collector *k, const struct found *f)
{
    struct setting_use *u;
    void **slot;

    k->key.n = 0;
    buf_printf(&k->key, "%.*s %s %.*s", STR_ARG(f->name), f->form.n ? "by PyTorch" : "=",
               STR_ARG(f->form.n ? f->form : f->value));
    slot = map_at_copy(&k->uses, buf_view(&k->key));
    if (*slot || k->out->list.n >= USES_MAX)
        return *slot;
    *slot = u = ARENA_NEW(k->arena, struct setting_use);
    *u = (struct setting_use){.name = arena_str(k->arena, f->name),
                              .value = arena_str(k->arena, f->value),
                              .usual = f->usual,
                              .by = f->form.n ? SET_BY_PYTORCH : SET_BY_USER,
                              .environment = f->environment};
    vec_push(k->arena, &k->out->list, u);
    return u;
}

static void add_use(struct collector *k, const struct found *f, const struct compile *c)
{
    struct setting_use *u = use_of(k, f);

    if (!u)
        return;
    u->count++;
    u->assigned += f->assigned;
    u->passing += f->passing;
    if (u->by != SET_BY_PYTORCH && u->compiles.n < COMPILES_LISTED_MAX)
        vec_push(k->arena, &u->compiles, c);
}

static void add_compile(struct collector *k, const struct compile *c)
{
    const struct artifact *runnable = runnable_of(c);
    struct founds founds = {0};

    if (runnable)
        read_program(k, c, runnable, &founds);
    for (size_t i = 0; i < CONFIGS; i++) {
        const struct founds *config = read_config(k, c, i);

        if (!config || !config->whole)
            continue;
        k->out->known = true;
        if (i == INDUCTOR)
            note_passing(&founds, config);
        add_config(k, config, &founds);
    }
    find_patches(&founds);
    vec_each(const struct found, f, &founds.list) if (!f->is_default) add_use(k, f, c);
}

/*
 * The value of an environment variable is a text; for a setting it may be a switch (torch/utils/_config_module.py) or
 * a number.
 */
static bool has_value_of(const struct setting_use *u, const struct setting_use *variable)
{
    struct str text = str_drop(str_skip(variable->value, 1), 1); /* without quotes */

    return python_values_equal(u->value, variable->value) || str_eq(u->value, text) ||
           (str_eq(text, STR("1")) && str_eq(u->value, STR("True"))) ||
           (str_eq(text, STR("0")) && str_eq(u->value, STR("False")));
}

/*
 * A variable is the origin if no program assigns the setting; PyTorch writes some settings that variables set as
 * assigned.
 */
static struct str variable_of(const struct settings_used *s, const struct setting_use *u)
{
    for (size_t i = 0; i < s->list.n; i++) {
        const struct setting_use *variable = s->list.v[i];

        if (variable->environment && setting_has_variable(u->name, variable->name) &&
            (u->assigned == 0 || has_value_of(u, variable)))
            return variable->name;
    }
    return (struct str){0};
}

static void find_origins(struct settings_used *s)
{
    for (size_t i = 0; i < s->list.n; i++) {
        struct setting_use *u = s->list.v[i];

        if (u->environment || u->by != SET_BY_USER)
            continue;
        u->variable = variable_of(s, u);
        if (u->variable.n)
            u->by = SET_BY_VARIABLE;
        else if (u->passing == u->count)
            u->by = SET_BY_OPTIONS;
    }
}

static int by_name(const void *pa, const void *pb)
{
    const struct setting_use *a = *(struct setting_use *const *)pa, *b = *(struct setting_use *const *)pb;
    int c;

    if (a->environment != b->environment)
        return a->environment ? 1 : -1;
    c = str_cmp(a->name, b->name);
    return c ? c : str_cmp(a->value, b->value);
}

void settings_find(struct arena *a, const struct run *r, struct settings_used *out)
{
    struct collector k = {.arena = a, .scratch = arena_new(), .out = out};
    const struct compile *c;

    *out = (struct settings_used){0};
    map_init(&k.uses, a);
    map_init(&k.seen, a);
    map_init(&k.read, a);
    for (struct compile_walk w = {.run = r}; (c = compile_next(&w));) {
        add_compile(&k, c);
        arena_reset(k.scratch);
    }
    buf_free(&k.key);
    arena_free(k.scratch);
    find_origins(out);
    if (out->list.n)
        qsort(out->list.v, out->list.n, sizeof *out->list.v, by_name);
}
