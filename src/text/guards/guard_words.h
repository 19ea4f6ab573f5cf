/*
 * guard_words: shared by the readers of failed guards: a table of the forms of a text, and sentences about a value.
 * Any thread.
 */
#pragma once

#include "text/guards/guard_class.h"

/* A form of text, recognized by how it begins. */
struct guard_form {
    struct str begin;
    enum guard_class class;
    const char *words; /* the sentence, or, together with `after`, the part before the value's name */
    const char *after;
    bool negated; /* for `read`: the check was negated */
    /*
     * Reads the text after `begin`; false if it turns out to have another form. If NULL, the sentence is `words` or,
     * if `after` is set, `words`, the name of the value after `begin`, and `after`.
     */
    bool (*read)(struct arena *a, const struct guard_form *form, struct str rest, struct guard_reason *out);
};

/* clang-format off */
#define FORM_SENTENCE(text, class_, sentence) {.begin = STR_INIT(text), .class = class_, .words = sentence}
#define FORM_ABOUT(text, class_, before_, after_)                                                                      \
    {.begin = STR_INIT(text), .class = class_, .words = before_, .after = after_}
#define FORM_READ(text, function) {.begin = STR_INIT(text), .read = function}
/* clang-format on */

/* Reads the text by the first matching form. */
bool guard_forms_read(struct arena *a, const struct guard_form *forms, size_t n, struct str text,
                      struct guard_reason *out);

/* s, or its beginning with "…" if it is long: a guard may quote megabytes. */
struct str words_clip(struct arena *a, struct str s);

/* Sets class, source and name. */
void words_about(struct arena *a, struct guard_reason *out, enum guard_class class, struct str source);

/* "`x`", clipped, for a sentence. */
struct str words_name(struct arena *a, const struct guard_reason *r);

/* Like words_about, and also sets the sentence: before, the name, after. */
void words_say(struct arena *a, struct guard_reason *out, enum guard_class class, struct str source, const char *before,
               const char *after);

/* "int" for "<class 'int'>", "Color" for "<class '__main__.Color'>"; s itself in any other form. */
struct str words_type(struct str s);

/* The function that sets an attribute on a tensor ("mark_dynamic" for _dynamo_dynamic_indices), or NULL. */
const char *words_mark(struct str attribute);

/* Whether a size is always specialized: 0 and 1. */
bool words_is_specialized(struct str number);
