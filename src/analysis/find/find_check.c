/*
 * The two sides of a condition that the compiler cannot decide, in Python, and the check that states which one is
 * true.
 */
#include "analysis/find/find.h"

#include "text/messages/shape_expression.h"

/* An expression that is not a comparison, but is compared with 1, is a bool that was read from a tensor. */
static bool is_flag(const struct line_condition *line, struct str expression)
{
    return line->form == CONDITION_VALUE && str_starts(expression, STR("Eq(u")) && str_ends(expression, STR(", 1)"));
}

void finding_condition(struct arena *a, const struct unknown_condition *c, struct condition *out)
{
    struct line_condition line = line_condition_of(c->source);
    struct shape_words words;

    *out = (struct condition){0};
    if (line.form == CONDITION_COMPARISON || is_flag(&line, c->expression)) {
        out->in_line = true;
        out->holds = line.text;
    } else {
        words = shape_expression_words(a, c->expression, c->names);
        if (!words.is_python || condition_form_of(words.text) != CONDITION_COMPARISON)
            return;
        out->holds = words.text;
        out->symbolic = words.has_symbols;
    }
    /* `not` would read the value; torch.sym_not keeps it symbolic. */
    out->fails = shape_condition_opposite(a, out->holds);
    if (out->fails.n == 0)
        out->fails = arena_printf(a, "torch.sym_not(%.*s)", STR_ARG(out->holds));
}

void finding_paste_check(struct finder *f, struct finding *x, const struct unknown_condition *c, bool held)
{
    struct line_condition line = line_condition_of(c->source);
    bool alone = line.form == CONDITION_NONE || line.stands_alone;
    struct condition sides;

    finding_condition(f->arena, c, &sides);
    if (sides.holds.n == 0)
        return;
    finding_paste(
        x, c->line && alone && sides.in_line ? PASTE_STATEMENT : PASTE_PATTERN,
        arena_printf(f->arena, "torch._check(%.*s)%s", STR_ARG(held ? sides.holds : sides.fails),
                     sides.symbolic ? "   # u0, u1, ... stand for the values that are read from tensors" : ""));
    finding_paste_at(x, c->line,
                     alone ? STR("before the line, if that always holds")
                           : STR("before the `if` or the loop that the line belongs to, if that always holds"));
}
