#include "torchlog/failures/crash_compile.h"

enum { LINES_BETWEEN_MAX = 3 }; /* lines of output between the last message of a compile and its exception */

static bool is_frame(const struct compile *c, struct str function, struct str file)
{
    return c->frame && str_eq(c->frame->name, function) && (file.n == 0 || str_eq(c->frame->file, file));
}

struct compile *crash_newest_of(const struct process *p, struct str function, struct str file)
{
    size_t n = p->compiles.n, last = n > LIMIT_LOOK_BACK ? n - LIMIT_LOOK_BACK : 0;

    while (n-- > last)
        if (is_frame(p->compiles.v[n], function, file))
            return p->compiles.v[n];
    return NULL;
}

bool crash_is_at_work(const struct crash_process *p, const struct compile *c, const struct text_call *outermost)
{
    if (!c || c->ended || c == p->failed)
        return false;
    return !outermost || !c->frame->name.n || is_frame(c, outermost->function, outermost->file);
}

/* Whose a refusal is stands in the log before it. */
static struct compile *refused_last(const struct process *p, const struct crash_text *t)
{
    size_t n = p->compiles.n, last = n > LIMIT_LOOK_BACK ? n - LIMIT_LOOK_BACK : 0;

    if (!str_has(str_first_line(t->message), STR("_limit reached")) && !str_has(t->type, STR("LimitHit")))
        return NULL;
    while (n-- > last)
        if (p->compiles.v[n]->limit_hit)
            return p->compiles.v[n];
    return NULL;
}

/*
 * The compile that was at work: the one whose message stands directly before, when it need not begin to fail (a
 * recompile), the one that the log says began last and has not ended, or one of the function that was traced. NULL when
 * none of these shows it.
 */
struct compile *crash_compile_at_work(const struct crash_process *p, const struct process *process,
                                       const struct crash_text *t)
{
    const struct text_call *outermost = t->user_calls.calls.n ? &t->user_calls.calls.v[0] : NULL;
    struct compile *c = NULL;

    if (t->origin != CRASH_OF_COMPILER || t->exporting)
        return NULL;
    if (p->lines_between <= LINES_BETWEEN_MAX && p->latest != p->started && crash_is_at_work(p, p->latest, outermost))
        return p->latest;
    if (crash_is_at_work(p, p->started, outermost))
        return p->started;
    c = outermost ? crash_newest_of(process, outermost->function, outermost->file) : refused_last(process, t);
    return !c && t->backward ? p->latest : c;
}
