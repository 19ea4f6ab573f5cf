#include "analysis/recompiles/recompile_limit.h"

#include "analysis/answers/versions.h"
#include "text/versions/names.h"

/* --- what the refusal says ---------------------------------------------------------------------------------------- */

/* Takes the number after the mark in the text. */
static bool number_after(struct str text, struct str mark, int64_t *out)
{
    ptrdiff_t at = str_find(text, mark);
    uint64_t n;

    if (at < 0)
        return false;
    text = str_skip(text, (size_t)at + mark.n);
    if (!str_take_u64(&text, &n) || n > INT64_MAX)
        return false;
    *out = (int64_t)n;
    return true;
}

/*
 * "exceeding the recompile_limit cache size limit (currently set to 8)" of the exception (2.7 and later), or
 * "cache_size_limit reached" (until 2.6), or "torch._dynamo hit config.cache_size_limit (8)" of the log:
 * torch/_dynamo/convert_frame.py.
 */
static void read_refusal(struct str text, struct recompile_limit *out)
{
    struct str name;

    if (str_between(text, STR("exceeding the "), STR(" cache size limit"), &name) ||
        str_between(text, STR("hit config."), STR(" ("), &name) ||
        str_between(text, STR("hit config."), STR("\n"), &name))
        out->name = name;
    else if (str_ends(text, STR("_limit reached")) && str_chr(text, ' ') == (ptrdiff_t)text.n - 8)
        out->name = str_drop(text, 8);
    if (!number_after(text, STR("(currently set to "), &out->value) && out->name.n)
        number_after(text, STR("_limit ("), &out->value);
}

/* --- what the settings say ---------------------------------------------------------------------------------------- */

static int64_t setting_number(struct finder *f, const struct compile *c, const char *name)
{
    struct str text = recompile_setting(f, c, "dynamo_config", name);
    int64_t n;

    return str_i64(text, &n) ? n : -1;
}

/*
 * Until 2.6 limits were called cache_size_limit. Later versions accept that name too, so it is right for any version.
 */
static struct str default_name(const struct process *p)
{
    return names_has(NAME_LIMIT, STR("recompile_limit"), process_pytorch(p)) == NAME_PRESENT ? STR("recompile_limit")
                                                                                             : STR("cache_size_limit");
}

/*
 * The argument is put into the configuration only while the function is compiled. So it is an argument if compiles of
 * other functions have another value, and no later one has the same.
 */
static bool is_by_argument(struct finder *f, const struct compile *c, int64_t value)
{
    enum { LOOKED_AT_MAX = 200 };
    const struct process *p = c->process;
    bool differs = false;
    size_t looked_at = 0;

    for (size_t i = 0; i < p->compiles.n && looked_at < LOOKED_AT_MAX; i++) {
        int64_t other;

        if (p->compiles.v[i]->frame == c->frame)
            continue;
        looked_at++;
        other = setting_number(f, p->compiles.v[i], "recompile_limit");
        if (other == value && p->compiles.v[i]->index > c->index)
            return false;
        differs |= other >= 0 && other != value;
    }
    return differs;
}

/* The highest default that the limit had in any version: torch/_dynamo/config.py. */
static bool is_above_default(const struct recompile_limit *l)
{
    static const struct {
        struct str name;
        int64_t value;
    } defaults[] = {{STR_INIT("recompile_limit"), 8},
                    {STR_INIT("cache_size_limit"), 64},
                    {STR_INIT("accumulated_cache_size_limit"), 256},
                    {STR_INIT("accumulated_recompile_limit"), 256}};

    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (str_eq(l->name, defaults[i].name))
            return l->value > defaults[i].value;
    return false;
}

/* --- the limit ---------------------------------------------------------------------------------------------------- */

/* Each cache entry gives a reason why it could not be used; without reasons, all compiles of the code count. */
static uint64_t compiles_before(const struct recompile_chain *chain)
{
    const struct frame *fr = chain->frame;
    const struct compile *refused = NULL;
    uint64_t n = 0;

    for (size_t i = 0; i < fr->compiles.n; i++) {
        if (fr->compiles.v[i]->limit_hit && !refused)
            refused = fr->compiles.v[i];
        n += !fr->compiles.v[i]->limit_hit;
    }
    return refused && refused->reasons.n > 1 && refused->reasons.n < n ? refused->reasons.n : n;
}

void recompile_limit_of(struct finder *f, const struct recompile_chain *chain, struct recompile_limit *out)
{
    const struct compile *c = chain->limit;

    *out = (struct recompile_limit){.value = -1};
    for (size_t i = 0; i < c->failures.n; i++) {
        read_refusal(c->failures.v[i]->message, out);
        out->raised |= !c->failures.v[i]->fallback;
    }
    if (c->failures.n == 0) /* only the name of the exception may be left of it */
        out->raised = stated_has(&c->process->input->stated, STATED_LIMIT_RAISED);
    if (out->name.n == 0) {
        read_refusal(c->limit_reported, out);
    } else if (out->value < 0) { /* up to 2.6 the exception has no number, and the warning before it has */
        struct recompile_limit warned = {.value = -1};

        read_refusal(c->limit_reported, &warned);
        out->value = str_eq(warned.name, out->name) ? warned.value : -1;
    }
    if (out->name.n == 0)
        out->name = default_name(c->process);
    out->accumulated = str_starts(out->name, STR("accumulated_"));
    if (out->value < 0)
        out->value = setting_number(f, c, out->accumulated ? "accumulated_recompile_limit" : "recompile_limit");
    out->by_argument = !out->accumulated && out->value >= 0 && is_by_argument(f, c, out->value);
    out->above_default = is_above_default(out);
    out->compiles = compiles_before(chain);
}
