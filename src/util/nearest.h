/*
 * nearest: the word somebody may have meant who wrote another one. Words are compared without regard to case and to
 * what stands between their parts (output-code, output_code). Any thread.
 */
#pragma once

#include "util/str.h"

struct nearest {
    struct str wanted;
    struct str word; /* the best so far; empty when none is near */
    unsigned steps;  /* letters to add, to take away, to change or to swap with the next one */
};

/* Words longer than that are like no other. */
enum { NEAREST_LETTERS_MAX = 64 };

struct nearest nearest_to(struct str wanted);

/* Of words that are equally near the first stays. `word` must live as long as the result. */
void nearest_try(struct nearest *n, struct str word);
