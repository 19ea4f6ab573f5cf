#include "analysis/remedies/recompile_remedy.h"

#include "analysis/remedies/recompile_state.h"
#include "analysis/remedies/remedies_objects.h"
#include "analysis/remedies/remedies_tensors.h"
#include "analysis/remedies/remedies_values.h"

/* All rows of a change are in one of them. */
static const struct remedies *const tables[] = {&remedies_tensors, &remedies_values, &remedies_objects};

bool recompile_is_expected(struct finder *f, const struct recompile_cause *cause)
{
    if (cause->most > 2)
        return false;
    if (recompile_state_is_grad_mode(cause) && !recompile_state_is_of_requests(cause) && cause->most == 1)
        return true;
    return cause->change == CHANGE_CALLEE || recompile_is_of_first_block(f, cause) ||
           recompile_is_one_per_line(f, cause) ||
           (cause->change == CHANGE_RELATION && recompile_is_choice_of_pytorch(f, cause));
}

bool recompile_is_over(struct finder *f, const struct recompile_cause *cause)
{
    switch (cause->change) {
    case CHANGE_SMALL_SIZE:
        return cause->most == 1 && cause->list.n == 1;
    case CHANGE_FUNCTION:
    case CHANGE_MODULE_ATTRIBUTE:
        return remedy_is_number_once(f, cause);
    default:
        return false;
    }
}

bool recompile_is_endless(struct finder *f, const struct recompile_cause *cause)
{
    return remedies_objects_are_endless(f, cause) || remedies_values_are_endless(f, cause);
}

const struct remedy *recompile_remedy_of(struct finder *f, const struct recompile_cause *cause)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (size_t k = 0; k < tables[i]->n; k++) {
            const struct remedy *r = &tables[i]->rows[k];

            if (r->change == cause->change && (!r->fits || r->fits(f, cause)))
                return r;
        }
    return &remedies_objects.rows[remedies_objects.n - 1];
}

/* Nobody is advised to set what the text has set already. */
static struct str without_dynamic(struct finder *f, const struct recompile_cause *cause, struct str words)
{
    static const struct str advice = STR_INIT(", or `torch.compile(..., dynamic=True)`");
    ptrdiff_t at = stated_has(remedy_stated(cause), STATED_DYNAMIC) ? str_find(words, advice) : -1;

    if (at < 0)
        return words;
    return arena_printf(f->arena, "%.*s%.*s", (int)at, words.p, STR_ARG(str_skip(words, (size_t)at + advice.n)));
}

struct str recompile_remedy_words(struct finder *f, const struct remedy *r, const struct recompile_cause *cause)
{
    struct str fix = recompile_state_fix(f->arena, cause);

    if (fix.n)
        return fix;
    if (r->fits == recompile_is_constant_of_pytorch)
        return arena_printf(f->arena, "PyTorch's own code (%.*s:%lld) makes a constant of %.*s; %s",
                            STR_ARG(cause->made.by->file), (long long)cause->made.by->line,
                            STR_ARG(recompile_constant_words(f->arena, &cause->made)), r->fix);
    if (r->fits == recompile_is_of_local_class)
        return recompile_local_class_words(f->arena, cause);
    if (r->fits == remedies_values_is_computed_with)
        return remedies_values_computed_words(f->arena, cause);
    return without_dynamic(f, cause, str_of(r->fix));
}
