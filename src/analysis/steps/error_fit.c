#include "analysis/steps/error_fit.h"

#include "analysis/answers/versions.h"
#include "analysis/errors/error_cache.h"
#include "analysis/find/advice_fit.h"
#include "model/code_file.h"

/* The message, and the file of the cache in which the stack ends, as its path may be nowhere else. */
static struct str places_of(struct arena *a, const struct failure *f)
{
    return f->stack && code_file_is_inductors(f->stack->file)
               ? arena_printf(a, "%.*s\n'%.*s'", STR_ARG(f->message), STR_ARG(f->stack->file))
               : f->message;
}

/* What an answer says in general may not fit this text. */
static void keep_fitting(struct arena *a, const struct failure *f, struct error_steps *out)
{
    const struct process *p = f->compile->process;
    struct advice_fit fit = {.arena = a, .to = &p->input->stated, .version = process_pytorch(p)};
    struct str where = places_of(a, f);
    size_t kept = 0;

    for (size_t i = 0; i < out->list.n; i++) {
        struct error_step step = out->list.v[i];

        step.words = error_cache_named(a, advice_fit_words(&fit, step.words), where,
                                       p->input->stated.inductor_cache);
        step.words = error_cache_of_vllm(a, step.words, p->input->stated.cache);
        step.words = error_cache_of_option(a, step.words, p->input->stated.option);
        if (step.words.n)
            out->list.v[kept++] = step;
    }
    if (kept == 0 && out->list.n)
        out->list.v[kept++] = (struct error_step){.words = advice_fit_nothing(&fit)};
    out->list.n = kept;
}

/* Who only has a project's options cannot change how it compiles. */
static const struct {
    enum stated_fact fact;
    const char *option, *words;
} switches[] = {
    {STATED_PIECEWISE_OPTION, "--enable-piecewise-cuda-graph",
     "SGLang compiles the model for `--enable-piecewise-cuda-graph`: leave that option out, or update SGLang, and "
     "report it there. What follows is for that project."},
    {STATED_COMPILE_OPTION, "--enable-torch-compile",
     "SGLang compiles the model for `--enable-torch-compile`: leave that option out, or update SGLang, and report it "
     "there. What follows is for that project."},
    {STATED_GENERATE_COMPILES, "disable_compile",
     "Most likely `generate()` of transformers compiles the model: `disable_compile=True` in its generation config "
     "turns that off."},
};

static void add_switch(struct arena *a, const struct error *e, struct error_steps *out)
{
    const struct stated *to = &e->failure->compile->process->input->stated;
    struct str *first = out->list.n ? &out->list.v[0].words : NULL;

    if (!first || !stated_has(to, STATED_PROJECT_COMPILES) || e->fault || e->category == ERROR_OUT_OF_MEMORY ||
        e->category == ERROR_WARNING || e->category == ERROR_COLLECTIVE)
        return;
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (stated_has(to, switches[i].fact) && !str_has(to->variant_of, str_of(switches[i].option)) &&
            !str_has(*first, str_of(switches[i].option))) {
            *first = arena_printf(a, "%s %.*s", switches[i].words, STR_ARG(*first));
            return;
        }
}

/*
 * An option to leave out comes before what nobody has tried, and so does what is not PyTorch's; a sentence that only
 * says what was tried is the last step.
 */
static void add_trial(struct arena *a, const struct failure *f, struct error_steps *out)
{
    const struct stated *stated = &f->compile->process->input->stated;
    struct str first = out->list.n ? out->list.v[0].words : (struct str){0}, words, trial;

    if (!stated->variant && first.n && advice_trial_is_outside(stated->trial) &&
        !str_has(first, stated->trial)) {
        out->list.v[0].words = arena_printf(a,
                                            "Most likely it depends on something else than PyTorch (\"%.*s\"): look "
                                            "and report there first. %.*s",
                                            STR_ARG(stated->trial), STR_ARG(first));
        return;
    }
    words = advice_with_trial(a, stated, first);
    trial = advice_take_trial(&words);
    words = advice_with_worked(a, stated, words);
    if (out->list.n)
        out->list.v[0].words = words;
    else if (words.n)
        error_step_say(a, out, words);
    if (trial.n)
        error_step_say(a, out, trial);
}

void error_fit_steps(struct arena *a, const struct error *e, struct error_steps *out)
{
    keep_fitting(a, e->failure, out);
    add_switch(a, e, out);
    add_trial(a, e->failure, out);
}
