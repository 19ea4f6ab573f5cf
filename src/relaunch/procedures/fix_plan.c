#include "relaunch/procedures/fix_plan.h"

#include "relaunch/trial/patch.h"

/*
 * Variables that only show something, or that only help the next launch: the effect of such a launch cannot be
 * measured.
 */
static const struct {
    const char *name, *why;
} of_no_use[] = {
    {"TORCH_LOGS", "it shows more, and changes nothing"},
    {"TORCH_TRACE", "it shows more, and changes nothing"},
    {"TORCHDYNAMO_VERBOSE", "it shows more, and changes nothing"},
    {"TORCH_COMPILE_DEBUG", "it shows more, and changes nothing"},
    {"TORCHINDUCTOR_CACHE_DIR", "it only helps from the second launch on, and each trial has empty caches; --warm "
                                "shows it"},
};

static const char *why_of_no_use(struct arena *a, const struct fix *f)
{
    const setting_list variables = patch_variables(a, f->text);

    vec_each(const struct env_setting, s,
             &variables) for (size_t i = 0; i < sizeof of_no_use / sizeof *of_no_use;
                              i++) if (str_eq(s->name, str_of(of_no_use[i].name))) return of_no_use[i]
        .why;
    return variables.n ? NULL : "it names no variable";
}

/* Empty if it can be tried. */
static struct str why_not(struct rerun *r, const struct trial_finding *x, const struct fix *f)
{
    const char *why = NULL;

    if (x->paste.kind == PASTE_NONE)
        return STR("the source must be changed by hand");
    if (x->paste.kind == PASTE_PATTERN && patch_argument(f).n == 0)
        return STR("the source must be changed by hand: the text is a pattern");
    if (x->paste.kind == PASTE_COMMAND)
        return STR("it is a separate command");
    if (!patch_can_apply(f))
        return STR("its place in the program is not known");
    if (x->paste.kind == PASTE_ENVIRONMENT)
        why = why_of_no_use(r->arena, f);
    return why ? str_of(why) : (struct str){"", 0};
}

void fix_plan(struct rerun *r)
{
    vec_each(const struct trial_finding, x, &r->base_facts.findings)
    {
        bool has_text = x->paste.kind != PASTE_NONE;
        struct fix *f;

        if (!has_text && (x->advice.n == 0 || x->severity == FINDING_INFO || x->follows))
            continue;
        f = vec_add(r->arena, &r->experiment->fixes);
        *f = (struct fix){.finding = x->id,
                          .title = x->title,
                          .kind = has_text ? str_of(paste_kind_name(x->paste.kind)) : (struct str){"", 0},
                          .text = x->paste.text,
                          .outcome = FIX_NOT_TRIED};
        if (x->paste.kind == PASTE_STATEMENT) {
            f->file = x->paste.file;
            f->line = x->paste.line;
        }
        f->measured = why_not(r, x, f);
    }
}

bool fix_is_of_caches(const struct fix *f)
{
    return str_starts(f->finding, STR("cache-"));
}

bool fix_can_be_tried(const struct fix *f)
{
    return f->outcome == FIX_NOT_TRIED && f->measured.n == 0;
}

bool fix_is_same(const struct fix *x, const struct fix *y)
{
    return x->line == y->line && str_eq(x->kind, y->kind) && str_eq(x->text, y->text) && str_eq(x->file, y->file);
}
