/*
 * guard_words: what the readers of failed guards share: a table of the forms a text may have, and sentences about a
 * value. Any thread.
 */
#pragma once

#include "text/guards/guard_class.h"

/* A form of text, known by how it begins. */
struct guard_form {
    struct str begin;
    enum guard_class class;
    const char *words;  /* the sentence, or with `after` what stands before the name of the value */
    const char *after;
    bool negated;       /* for `read`: the text says that something was not so */
    /*
     * Reads what follows `begin`; false when it is of another form after all. Without it the sentence is `words` or,
     * where `after` is given, `words`, the name of the value that follows `begin`, and `after`.
     */
    bool (*read)(struct arena *a, const struct guard_form *form, struct str rest, struct guard_reason *out);
};

/* clang-format off */
#define FORM_SENTENCE(text, class_, sentence) {.begin = STR_INIT(text), .class = class_, .words = sentence}
#define FORM_ABOUT(text, class_, before_, after_)                                                                      \
    {.begin = STR_INIT(text), .class = class_, .words = before_, .after = after_}
#define FORM_READ(text, function) {.begin = STR_INIT(text), .read = function}
/* clang-format on */

/* Reads the text by the first form that fits. */
bool guard_forms_read(struct arena *a, const struct guard_form *forms, size_t n, struct str text,
                      struct guard_reason *out);

/* s, or its beginning with "…" when it is long: a guard may quote megabytes. */
struct str words_clip(struct arena *a, struct str s);

/* Sets class, source and name. */
void words_about(struct arena *a, struct guard_reason *out, enum guard_class class, struct str source);

/* "`x`", clipped, for a sentence. */
struct str words_name(struct arena *a, const struct guard_reason *r);

/* As words_about, and the sentence: before, the name, after. */
void words_say(struct arena *a, struct guard_reason *out, enum guard_class class, struct str source, const char *before,
               const char *after);

/* "int" of "<class 'int'>", "Color" of "<class '__main__.Color'>"; s itself when it has another form. */
struct str words_type(struct str s);

/* The function that leaves an attribute on a tensor ("mark_dynamic" of _dynamo_dynamic_indices), or NULL. */
const char *words_mark(struct str attribute);

/* Whether a size is one that is always compiled for by itself: 0 and 1. */
bool words_is_specialized(struct str number);
