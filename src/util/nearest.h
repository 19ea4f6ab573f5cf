/*
 * nearest: guesses which word someone meant to write. Case and the characters between parts (output-code, output_code)
 * do not matter. Any thread.
 */
#pragma once

#include "util/str.h"

struct nearest {
    struct str wanted;
    struct str word; /* the best so far; empty if no word is near */
    unsigned steps;  /* letters to add, remove, change or swap with their neighbor */
};

/* Longer words have no near words. */
enum { NEAREST_LETTERS_MAX = 64 };

struct nearest nearest_to(struct str wanted);

/* Of equally near words, the first one stays. `word` must live as long as the result. */
void nearest_try(struct nearest *n, struct str word);
