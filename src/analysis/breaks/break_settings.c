#include "analysis/breaks/break_settings.h"

#include "text/versions/names.h"

/*
 * The 2.x since which a setting is known to do no harm where it is advised; for earlier versions its text is a
 * pattern. With 2.6, for example, capture_scalar_outputs makes a graph fail that computes with a float.
 */
static const struct {
    struct str name;
    unsigned proven;
} settings[] = {
    [SET_REORDER] = {STR_INIT("torch._dynamo.config.reorderable_logging_functions"), 6},
    [SET_IGNORE] = {STR_INIT("torch._dynamo.config.ignore_logging_functions"), 13},
    [SET_IGNORE_METHODS] = {STR_INIT("torch._dynamo.config.ignore_logger_methods"), 6},
    [SET_SCALARS] = {STR_INIT("torch._dynamo.config.capture_scalar_outputs"), 13},
    [SET_SHAPES] = {STR_INIT("torch._dynamo.config.capture_dynamic_output_shape_ops"), 6},
    [SET_CHECKPOINT] = {STR_INIT("torch._dynamo.config.skip_fwd_side_effects_in_bwd_under_checkpoint"), 13},
    [SET_RNN] = {STR_INIT("torch._dynamo.config.allow_rnn"), 13},
    [SET_AUTOGRAD] = {STR_INIT("torch._dynamo.config.trace_autograd_ops"), 13},
};

/* The n of 2.n; 0 if the version is unknown. */
static unsigned minor_of(struct str version)
{
    uint64_t major, minor;

    if (!str_take_u64(&version, &major) || !str_consume(&version, STR(".")) || !str_take_u64(&version, &minor))
        return 0;
    return major > 2 ? 1000 : (unsigned)minor;
}

bool break_has(const struct break_words *w, enum break_setting s)
{
    return names_has(NAME_SETTING, settings[s].name, w->version) != NAME_ABSENT;
}

bool break_is_proven(const struct break_words *w, unsigned minor)
{
    return minor_of(w->version) >= minor;
}

bool break_is_before(const struct break_words *w, unsigned minor)
{
    unsigned own = minor_of(w->version);

    return own != 0 && own < minor;
}

bool break_set(const struct break_words *w, struct break_fix *out, enum break_setting s, struct str text)
{
    if (!break_has(w, s))
        return false;
    out->paste = text;
    out->is_setting = break_is_proven(w, settings[s].proven);
    return true;
}

void break_set_guard(struct arena *a, struct break_fix *out, struct str function)
{
    out->paste = arena_printf(a, "if not torch.compiler.is_compiling():\n    %.*s(...)", STR_ARG(function));
    out->where = STR("instead of this line");
}

struct str break_source(const struct break_words *w)
{
    return w->stack ? str_trim(w->stack->source) : (struct str){0};
}

bool break_is_identifier(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z') && !(i && str_is_digit(s.p[i])) &&
            s.p[i] != '_')
            return false;
    return s.n > 0;
}

struct str break_operator(struct str context)
{
    struct str rest = context, space = str_split(&rest, '.'), name = str_split(&rest, '.');

    while (str_consume(&name, STR("_")))
        ;
    return str_eq(space, STR("aten")) && break_is_identifier(name) ? name : (struct str){0};
}
