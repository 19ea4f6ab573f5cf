/* Advice may only use what the trace's PyTorch has: see find.h. */
#include "analysis/answers/versions.h"
#include "analysis/find/find.h"

#include "text/versions/names_in_text.h"

static struct str version_of(const struct finder *f, const struct finding *x)
{
    return x->compiles.n ? process_pytorch(x->compiles.v[0]->process) : run_versions(f->run).pytorch;
}

void finding_check_version(struct finder *f, struct finding *x)
{
    struct str version = version_of(f, x);
    struct named_since m;

    if (!names_missing(x->paste.text, version, &m))
        return;
    x->fix = arena_printf(f->arena, "%.*s%s`%.*s` would help, but PyTorch %.*s does not have it%s%.*s.",
                          STR_ARG(x->fix), x->fix.n ? " " : "", STR_ARG(m.name), STR_ARG(version),
                          m.since.n ? "; it was added in " : "", STR_ARG(m.since));
    finding_paste(x, PASTE_NONE, (struct str){0});
}
