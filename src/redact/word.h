/*
 * word: redacts one word of a trace: an identifier, or a word of a sentence. A word stays if the vocabulary has it, or
 * if it is made of words of the vocabulary in a way that PyTorch makes names (add_12, triton_poi_fused_add_mul_0). If
 * PyTorch has put a user's name between its own words (torch_dynamo_resume_in_NAME_at_12), only that name is replaced;
 * any other word is replaced as a whole. One thread.
 */
#pragma once

#include "redact/placeholder.h"
#include "redact/vocabulary.h"

struct words {
    struct arena *arena;
    struct vocabulary vocabulary;
    struct placeholders *placeholders;
    struct map known[2]; /* results so far: word -> struct str, in code and in prose */
};

void words_init(struct words *w, struct arena *a, struct placeholders *placeholders);

/* The word, or its placeholder. Lives as long as the placeholders. */
struct str word_in_code(struct words *w, struct str word);
/* Like word_in_code, but words of messages stay, unless a word is known as a user's name. */
struct str word_in_prose(struct words *w, struct str word);
/* Marks a word that can only be a user's name: from now on it is replaced in prose, too. */
void word_is_name(struct words *w, struct str word);
/* A word of a file name: always replaced, except for __init__ and __main__. */
struct str word_of_file(struct words *w, struct str word);

/* Whether it stays in code. */
bool word_stays(const struct words *w, struct str word);
