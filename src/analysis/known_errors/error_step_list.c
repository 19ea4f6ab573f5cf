#include "analysis/known_errors/error_step_list.h"

void error_step_say(struct arena *a, struct error_steps *out, struct str words)
{
    vec_push(a, &out->list, ((struct error_step){.words = words}));
}

void error_step_say_each(struct arena *a, struct error_steps *out, const char *const list[ERROR_ANSWER_STEPS])
{
    for (size_t i = 0; i < ERROR_ANSWER_STEPS && list[i]; i++)
        error_step_say(a, out, str_of(list[i]));
}

struct str error_step_text(struct arena *a, const struct error_step *s)
{
    if (s->paste.n == 0 || str_chr(s->paste, '\n') >= 0) /* several lines are no part of a sentence */
        return s->words;
    return arena_printf(a, "%.*s `%.*s`", STR_ARG(s->words), STR_ARG(s->paste));
}
