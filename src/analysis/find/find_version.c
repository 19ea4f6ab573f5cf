/* Advice may only use what the trace's PyTorch has, and must fit what a pasted text says: see find.h. */
#include "analysis/answers/versions.h"
#include "analysis/find/advice_fit.h"
#include "analysis/find/find.h"

#include "text/versions/names_in_text.h"

static struct str version_of(const struct finder *f, const struct finding *x)
{
    return x->compiles.n ? process_pytorch(x->compiles.v[0]->process) : run_versions(f->run).pytorch;
}

static const struct stated *stated_of(const struct finder *f, const struct finding *x)
{
    static const struct stated nothing;

    if (x->compiles.n)
        return &x->compiles.v[0]->process->input->stated;
    return f->run->inputs.n == 1 ? &f->run->inputs.v[0]->stated : &nothing;
}

/* A finding always says what to do: where no sentence fits, all are kept, unless the text has done it. */
static void keep_fitting(struct finder *f, struct finding *x, struct str version)
{
    struct advice_fit fit = {.arena = f->arena, .to = stated_of(f, x), .version = version};
    struct str rest = x->fix, out = {0}, line;

    while (str_next_line(&rest, &line)) {
        struct str left = advice_fit_words(&fit, line);

        out = left.n && out.n ? arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(out), STR_ARG(left)) : left.n ? left : out;
    }
    x->fix = out.n ? out : fit.held.n ? advice_fit_nothing(&fit) : x->fix;
    x->paste.text = advice_fit_names(&fit, x->paste.text);
    if (advice_fit_leaves_out(&fit, x->paste.text))
        finding_paste(x, PASTE_NONE, (struct str){0});
}

/* Nothing stands below any more: a sentence that points there goes. */
static void forget_paste(struct finder *f, struct finding *x)
{
    static const struct str of_paste = STR_INIT(FINDING_SETTING_BELOW);
    ptrdiff_t at = str_find(x->fix, of_paste);
    struct str before;

    if (at < 0)
        return;
    before = str_trim(str_take(x->fix, (size_t)at));
    x->fix = arena_printf(f->arena, "%.*s%.*s", STR_ARG(before), STR_ARG(str_skip(x->fix, (size_t)at + of_paste.n)));
}

void finding_check_version(struct finder *f, struct finding *x)
{
    struct str version = version_of(f, x);
    struct named_since m;

    keep_fitting(f, x, version);
    if (names_missing(x->paste.text, version, &m)) {
        finding_paste(x, PASTE_NONE, (struct str){0});
        forget_paste(f, x);
        if (x->fix.n == 0)
            x->fix = arena_printf(f->arena, "`%.*s` would help, but PyTorch %.*s does not have it%s%.*s.",
                                  STR_ARG(m.name), STR_ARG(version), m.since.n ? "; it was added in " : "",
                                  STR_ARG(m.since));
    } else if (x->paste.text.n == 0) {
        forget_paste(f, x);
    }
}
