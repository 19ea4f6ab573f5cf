/*
 * advice_fit: which sentences of advice fit what a text says: the system and the GPU, what the writer tried, the data
 * types, and PyTorch's version. The steps of errors and the fixes of findings pass through it, so that no answer has to
 * ask; environment variables are set as the system does it. To add a fact, add a row to `sentences` in advice_fit.c;
 * text/stated/stated_text.c finds facts. Any thread.
 */
#pragma once

#include "model/model.h"

enum { ADVICE_RULES = 288 };

/* For the steps of one error, or the lines of one fix, one after the other. Zero-initialize the rest. */
struct advice_fit {
    struct arena *arena;
    const struct stated *to;
    struct str version; /* PyTorch's; may be empty */
    struct str newer;   /* the first advice that only a newer version can follow, which the advice says */
    struct str held;    /* the first setting that was advised, and which the text has already */
    bool instead_said[ADVICE_RULES];
};

/* What is left of a step; empty if no sentence fits. In the arena. */
struct str advice_fit_words(struct advice_fit *f, struct str words);

/* The text with the names that PyTorch's version, or the newest that it can be, has for the same. In the arena. */
struct str advice_fit_names(const struct advice_fit *f, struct str text);

/* Whether a text that is to be pasted does not fit. */
bool advice_fit_leaves_out(const struct advice_fit *f, struct str text);

/* What is said when no step is left. */
struct str advice_fit_nothing(const struct advice_fit *f);

/*
 * The words, with what the text says of a version with which it worked, if it does: PyTorch's comes first, another
 * package's last. In the arena, or the words.
 */
struct str advice_with_worked(struct arena *a, const struct stated *to, struct str words);

/*
 * The words, and in a last line of its own, once, the writer's sentence on what makes it work; an option that can be
 * left out is the first advice instead. In the arena, or the words.
 */
struct str advice_with_trial(struct arena *a, const struct stated *to, struct str words);

/* Whether the writer's sentence names something else than PyTorch that was changed: an import, another release. */
bool advice_trial_is_outside(struct str trial);

/* Takes that last line off, which is worth less than anything else of an answer; empty if there is none. */
struct str advice_take_trial(struct str *fix);
