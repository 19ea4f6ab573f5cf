/*
 * error_fit: which sentences of advice fit what a text says: the system and the GPU, what the writer tried, the data
 * types, and PyTorch's version. All advice for errors passes through it, so that no answer has to ask. To add a fact,
 * add a row to `sentences` in error_fit.c; text/messages/stated_text.c finds facts. Any thread.
 */
#pragma once

#include "model/model.h"

enum { ERROR_FIT_RULES = 32 };

/* The steps of one error, one after the other. Zero-initialize the rest. */
struct error_fit {
    struct arena *arena;
    const struct stated *to;
    struct str version; /* PyTorch's; may be empty */
    struct str newer;   /* the first advice that only a newer version can follow, which the advice says */
    bool instead_said[ERROR_FIT_RULES];
};

/* What is left of a step; empty if no sentence fits. In the arena. */
struct str error_fit_words(struct error_fit *f, struct str words);

/* What is said when no step is left. */
struct str error_fit_nothing(const struct error_fit *f);
