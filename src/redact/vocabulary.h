/*
 * vocabulary: the words that redaction keeps. Every other word of a trace is replaced, so a word that is missing here
 * costs the reader something and the sender nothing. tools/make-vocabulary writes the lists from an installed PyTorch;
 * words/by_hand.txt is kept by hand; the names of text/versions/names.h count as words, too. Static data, compiled in;
 * one thread per vocabulary.
 */
#pragma once

#include "util/map.h"

/* In which texts a word stays. */
enum word_set {
    WORDS_API = 1,   /* anywhere: Python's and PyTorch's own names, and what guards and generated code are made of */
    WORDS_PROSE = 2, /* in messages for people */
    WORDS_PATH = 4,  /* in paths of PyTorch and of the standard library */
};

struct vocabulary {
    struct map words; /* word -> the sets that contain it */
};

/* Loads all lists. */
void vocabulary_load(struct vocabulary *v, struct arena *a);

/* The sets that contain a word; 0 if none does. */
unsigned vocabulary_sets(const struct vocabulary *v, struct str word);

/* The lists, one word per line, and comments that begin with '#': see tools/embed-texts. */
extern const struct str vocabulary_api, vocabulary_by_hand, vocabulary_prose, vocabulary_path;
