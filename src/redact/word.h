/*
 * word: what becomes of one word of a trace: an identifier, or a word of a sentence. It stays when the vocabulary has
 * it, or when it is made of words of the vocabulary in a way that PyTorch has (add_12, triton_poi_fused_add_mul_0).
 * Where PyTorch puts a name of the user's between words of its own (torch_dynamo_resume_in_NAME_at_12), the name alone
 * is replaced; any other word is replaced as a whole. One thread.
 */
#pragma once

#include "redact/placeholder.h"
#include "redact/vocabulary.h"

struct words {
    struct arena *arena;
    struct vocabulary vocabulary;
    struct placeholders *placeholders;
    struct map known[2]; /* what was decided: word -> struct str, in code and in prose */
};

void words_init(struct words *w, struct arena *a, struct placeholders *placeholders);

/* The word, or what stands in its place. Lives as long as the placeholders. */
struct str word_in_code(struct words *w, struct str word);
/* As word_in_code, and words of messages stay, unless one is known as a name of the user's. */
struct str word_in_prose(struct words *w, struct str word);
/* A word that only a name of the user's can be: from here on prose has no words of this kind. */
void word_is_name(struct words *w, struct str word);
/* A word of a file name: it is replaced whatever it is, but for __init__ and __main__. */
struct str word_of_file(struct words *w, struct str word);

/* Whether it stays in code. */
bool word_stays(const struct words *w, struct str word);
