/* stated_conditions: the facts of a pasted text that take more than a word. Any thread. */
#pragma once

#include "model/model.h"

/* A fact, and what states it. */
struct stated_condition {
    enum stated_fact fact;
    bool (*states)(struct str text);
    const char *versions; /* it is one of these alone: what their numbers begin with, separated by '\n' */
    bool or_unknown;      /* or a version that the text does not name */
};

/* Adds the facts of the rows to those of *out, whose PyTorch version has been found. */
void conditions_add(const struct stated_condition *rows, size_t n, struct str text, struct stated *out);

/* The same, of what is no code. */
void conditions_find(struct str text, struct stated *out);
