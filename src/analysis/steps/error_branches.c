#include "analysis/steps/error_branches.h"

/* As "differ in 'shape: torch.Size([2]) vs torch.Size([3])', 'stride: ...', where lhs is ..." names them. */
static const struct {
    struct str name;
    const char *words;
} properties[] = {
    {STR_INIT("'shape"), "their shapes: pad, slice or expand one of them, or compute both at one size"},
    {STR_INIT("'dtype"), "their dtypes: convert one (`.to(dtype)`)"},
    {STR_INIT("'device"), "their devices: move one (`.to(device)`)"},
    {STR_INIT("'requires_grad"), "`requires_grad`: `.detach()` the one that needs no gradient"},
    {STR_INIT("'stride"), "their strides: make both contiguous (`.contiguous()`)"},
};

/* The strides follow from the shapes. */
static struct str differing(struct arena *a, struct str message)
{
    static const struct str lead = STR_INIT("differ in ");
    struct str out = {0};

    for (ptrdiff_t at; (at = str_find(message, lead)) >= 0;) {
        struct str rest = str_skip(message, (size_t)at + lead.n);
        ptrdiff_t end = str_find(rest, STR(", where "));
        struct str found = str_take(rest, end < 0 ? rest.n : (size_t)end);
        bool shape = str_has(found, properties[0].name);

        for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
            if (str_has(found, properties[i].name) && !str_has(out, str_of(properties[i].words)) &&
                !(shape && i + 1 == sizeof properties / sizeof *properties))
                out = out.n ? arena_printf(a, "%.*s; %s", STR_ARG(out), properties[i].words)
                            : str_of(properties[i].words);
        message = rest;
    }
    return out;
}

bool error_branches_say(struct arena *a, const struct error *e, const struct error_answer *answer,
                        struct error_steps *out)
{
    static const struct str counts[] = {STR_INIT("number of outputs"), STR_INIT("number of elements")};
    static const char carried[] = "carried_inputs\nbody\ninit\nxs";
    struct str message = str_take(e->failure->message, ERROR_SEARCHED), what;
    bool loop;

    if (!answer || !str_starts(str_of(answer->steps[0]), STR("What the function returns must agree")))
        return false;
    if (e->failure->beside.n && !str_has(message, STR("differ in ")))
        message = str_take(e->failure->beside, ERROR_SEARCHED);
    loop = str_has_any_line(message, str_of(carried));
    what = STR_HAS_ANY(message, counts) ? STR("their number: return as many tensors") : differing(a, message);
    if (what.n == 0)
        return false;
    error_step_say(a, out,
                   arena_printf(a, "%s must agree, and they differ in %.*s.",
                                loop ? "What the function returns and what the loop carries"
                                     : "The tensors that both branches return",
                                STR_ARG(what)));
    return true;
}
