/*
 * vocabulary: the words that redaction leaves as they are. Every other word of a trace is replaced, so what is missing
 * here costs a reader something and the sender nothing. tools/make-vocabulary writes the lists from an installed
 * PyTorch; words/by_hand.txt is kept by hand; the names of text/versions/names.h are words, too. Static data, compiled
 * in; one thread per vocabulary.
 */
#pragma once

#include "util/map.h"

/* Where a word may stand. */
enum word_set {
    WORDS_API = 1,   /* anywhere: Python's and PyTorch's own names, and what guards and generated code are made of */
    WORDS_PROSE = 2, /* in messages for people */
    WORDS_PATH = 4,  /* in paths of PyTorch and of the standard library */
};

struct vocabulary {
    struct map words; /* word -> the sets that it is in */
};

/* Of all lists. */
void vocabulary_load(struct vocabulary *v, struct arena *a);

/* The sets of a word: 0 when it is in none. */
unsigned vocabulary_sets(const struct vocabulary *v, struct str word);

/* The lists, one word a line: see tools/embed-texts. */
extern const struct str vocabulary_api, vocabulary_by_hand, vocabulary_prose, vocabulary_path;
