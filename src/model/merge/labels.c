#include "model/merge/labels.h"

#include "util/formats/yaml.h"
#include "util/map.h"

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct label_reader {
    struct arena *arena;
    struct labels *out;
    struct labels_error *error;
};

static bool fail(struct label_reader *r, uint64_t line, struct str text)
{
    *r->error = (struct labels_error){line, text};
    return false;
}

/* A key of a rule, and where its text is stored. */
struct label_key {
    struct str key;
    struct str *text;
};

static bool read_field(struct label_reader *r, const struct yaml_node *key, const struct yaml_node *value,
                       const struct label_key *fields, size_t n)
{
    struct str known = {"", 0};

    for (size_t i = 0; i < n; i++) {
        if (str_eq(key->text, fields[i].key)) {
            *fields[i].text = value->text;
            return value->kind == YAML_TEXT ||
                   fail(r, value->line, arena_printf(r->arena, "`%.*s` must be a text", STR_ARG(key->text)));
        }
        known = arena_printf(r->arena, "%.*s%s%.*s", STR_ARG(known), i ? ", " : "", STR_ARG(fields[i].key));
    }
    return fail(r, key->line,
                arena_printf(r->arena, "unknown key `%.*s`; there are %.*s", STR_ARG(key->text), STR_ARG(known)));
}

static bool read_fields(struct label_reader *r, const struct yaml_node *rule, const struct label_key *fields, size_t n)
{
    if (rule->kind != YAML_MAP)
        return fail(r, rule->line, STR("a rule must be a map of keys and texts"));
    for (size_t i = 0; i < rule->keys.n; i++)
        if (!read_field(r, rule->keys.v[i], rule->values.v[i], fields, n))
            return false;
    return true;
}

static bool is_language(struct str name)
{
    for (int l = LANG_TEXT; l <= LANG_BYTECODE; l++)
        if (str_eq(name, str_of(language_name((enum language)l))))
            return true;
    return false;
}

static bool read_artifact(struct label_reader *r, const struct yaml_node *rule)
{
    struct artifact_label *a = vec_add(r->arena, &r->out->artifacts);
    const struct label_key fields[] = {
        {STR("name"), &a->name}, {STR("title"), &a->title}, {STR("group"), &a->group}, {STR("language"), &a->language}};

    if (!read_fields(r, rule, fields, sizeof fields / sizeof *fields))
        return false;
    if (a->name.n == 0)
        return fail(r, rule->line, STR("`name` is missing: which artifacts the rule is for"));
    if (a->language.n && !is_language(a->language))
        return fail(r, rule->line, STR("`language` must be one of text, fx, python, cpp, json, bytecode"));
    return true;
}

static bool read_frame(struct label_reader *r, const struct yaml_node *rule)
{
    struct frame_label *f = vec_add(r->arena, &r->out->frames);
    const struct label_key fields[] = {
        {STR("function"), &f->function}, {STR("file"), &f->file}, {STR("label"), &f->label}, {STR("group"), &f->group}};

    if (!read_fields(r, rule, fields, sizeof fields / sizeof *fields))
        return false;
    return f->function.n || f->file.n ||
           fail(r, rule->line, STR("`function` or `file` is missing: which frames the rule is for"));
}

typedef bool read_fn(struct label_reader *r, const struct yaml_node *rule);

static bool read_list(struct label_reader *r, const struct yaml_node *key, const struct yaml_node *list)
{
    bool artifacts = str_eq(key->text, STR("artifacts"));
    read_fn *read = artifacts ? read_artifact : read_frame;

    if (!artifacts && !str_eq(key->text, STR("frames")))
        return fail(r, key->line,
                    arena_printf(r->arena, "unknown key `%.*s`; there are artifacts, frames", STR_ARG(key->text)));
    if (list->kind != YAML_LIST)
        return fail(r, list->line, arena_printf(r->arena, "`%.*s` must be a list of rules", STR_ARG(key->text)));
    for (size_t i = 0; i < list->values.n; i++)
        if (!read(r, list->values.v[i]))
            return false;
    return true;
}

bool labels_parse(struct arena *a, struct str text, struct labels *out, struct labels_error *error)
{
    struct label_reader r = {a, out, error};
    struct yaml_error no_yaml;
    const struct yaml_node *root = yaml_parse(a, text, &no_yaml);

    *out = (struct labels){0};
    if (!root)
        return fail(&r, no_yaml.line, no_yaml.text);
    if (root->kind != YAML_MAP)
        return fail(&r, root->line, STR("the file must be a map with artifacts and frames"));
    for (size_t i = 0; i < root->keys.n; i++)
        if (!read_list(&r, root->keys.v[i], root->values.v[i]))
            return false;
    return true;
}

/* --- applying ----------------------------------------------------------------------------------------------------- */

/* '*' stands for any text. Only the last star is retried, so that no pattern takes forever. */
static bool fits(struct str pattern, struct str s)
{
    size_t p = 0, i = 0, star = pattern.n, at = 0;

    while (i < s.n) {
        if (p < pattern.n && pattern.p[p] == '*') {
            star = p++;
            at = i;
        } else if (p < pattern.n && pattern.p[p] == s.p[i]) {
            p++;
            i++;
        } else if (star < pattern.n) {
            p = star + 1;
            i = ++at;
        } else {
            return false;
        }
    }
    while (p < pattern.n && pattern.p[p] == '*')
        p++;
    return p == pattern.n;
}

static const struct artifact_label *artifact_rule(const struct labels *labels, struct str name)
{
    vec_each(const struct artifact_label, l, &labels->artifacts) if (fits(l->name, name)) return l;
    return NULL;
}

static enum language language_of(struct str name, enum language otherwise)
{
    for (int l = LANG_TEXT; l <= LANG_BYTECODE; l++)
        if (str_eq(name, str_of(language_name((enum language)l))))
            return (enum language)l;
    return otherwise;
}

/* Sets the stage of that name; if there is none, the artifact stays in its stage under a heading of its own. */
static void regroup(struct artifact_info *info, struct str group)
{
    for (int s = 0; s < STAGE_COUNT; s++)
        if (str_eq(group, str_of(stage_title((enum stage)s)))) {
            info->stage = (enum stage)s;
            return;
        }
    info->group = group.p;
}

enum { OTHERS_BULK = 5 };

/*
 * The new description of artifacts with that name; NULL if no rule matches. Texts are NUL-terminated, because they are
 * in an arena.
 */
static const struct artifact_info *info_of(struct arena *a, const struct labels *labels, const struct artifact *x)
{
    const struct artifact_label *rule = artifact_rule(labels, x->name);
    struct artifact_info *info;

    if (!rule)
        return NULL;
    info = ARENA_NEW(a, struct artifact_info);
    *info = x->info ? *x->info : (struct artifact_info){.name = "*", .stage = STAGE_OTHER, .bulk = OTHERS_BULK};
    if (rule->title.n)
        info->title = rule->title.p;
    info->language = language_of(rule->language, info->language);
    if (rule->group.n)
        regroup(info, rule->group);
    return info;
}

static void label_artifacts(struct arena *a, const struct labels *labels, struct input *in)
{
    static const struct artifact_info unlabeled;
    struct map known; /* name -> its description */

    map_init(&known, a);
    for (size_t i = 0; i < in->artifacts.n; i++) {
        struct artifact *x = in->artifacts.v[i];
        void **slot = map_at(&known, x->name);

        if (!*slot) {
            const struct artifact_info *info = info_of(a, labels, x);

            map_put_const(slot, info ? info : &unlabeled);
        }
        if (*slot != &unlabeled)
            x->info = *slot;
    }
}

static void label_frame(const struct labels *labels, struct frame *f)
{
    vec_each(const struct frame_label, l, &labels->frames)
    {
        if ((l->function.n && !fits(l->function, f->name)) || (l->file.n && !fits(l->file, f->file)))
            continue;
        f->label = l->label;
        f->group = l->group;
        return;
    }
}

void labels_apply(struct arena *a, const struct labels *labels, struct run *run)
{
    for (size_t i = 0; i < run->inputs.n && labels->artifacts.n; i++)
        label_artifacts(a, labels, run->inputs.v[i]);
    for (size_t i = 0; i < run->processes.n && labels->frames.n; i++)
        for (size_t k = 0; k < run->processes.v[i]->frames.n; k++)
            label_frame(labels, run->processes.v[i]->frames.v[k]);
}
