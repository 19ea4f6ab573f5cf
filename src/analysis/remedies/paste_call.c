#include "analysis/remedies/paste_call.h"

#include "analysis/find/caller.h"
#include "analysis/find/caller_expression.h"
#include "text/python/python_call.h"

const struct compile *paste_first_compile(const struct recompile_cause *cause)
{
    return cause->first->compile->frame->compiles.v[0];
}

const struct call *paste_line(const struct compile *c)
{
    const struct call *line = caller_of(c);

    return line && python_is_whole_statement(line->source) ? line : NULL;
}

struct str paste_expression(struct finder *f, const struct compile *c, struct str source)
{
    return caller_expression(f->arena, c, guard_facts_of(f, c), source);
}

void paste_before(struct finding *x, struct str text, const struct call *line)
{
    finding_paste(x, PASTE_STATEMENT, text);
    finding_paste_at(x, line, STR("before the call, in the caller"));
}

void paste_pattern(struct finding *x, struct str text, const char *where)
{
    finding_paste(x, PASTE_PATTERN, text);
    finding_paste_at(x, NULL, str_of(where));
}
