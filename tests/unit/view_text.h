/*
 * view_text: JSON of views, as a text that stands in a test: compact, and with ' for ".
 */
#pragma once

#include "answers_text.h"

#include "view/view.h"

/* Strings on their way live as long as the run. */
static inline struct view view_of(const struct answers *a)
{
    return (struct view){.answers = a, .run = a->run, .scratch = a->run->arena};
}

/* Takes o over. */
static inline struct str view_json(struct arena *a, json_t *o)
{
    char *text = json_dumps(o, JSON_COMPACT | JSON_ENCODE_ANY);
    struct str out;

    assert_non_null(text);
    out = arena_str(a, str_of(text));
    for (size_t i = 0; i < out.n; i++)
        if (out.p[i] == '"')
            ((char *)out.p)[i] = '\'';
    free(text);
    json_decref(o);
    return out;
}
