/*
 * mutate_pieces: changes an input as such inputs differ, for targets whose inputs are texts in pieces: records of a
 * trace (mutate_records.c), lines of console text (mutate_lines.c). libFuzzer has half of the inputs changed so; the
 * program that runs each input once gets some changes of each case.
 */
#pragma once

#include "fuzz.h"

#include "util/arena.h"
#include "util/str.h"
#include "util/vec.h"

enum { PIECE_PARTS = 3, MUTATE_CHANGES_MAX = 4 };

/* A piece is its parts, one behind the other. */
struct piece {
    struct str parts[PIECE_PARTS];
};

struct mutation {
    struct arena *arena;
    unsigned seed;
    VEC(struct piece) pieces;
};

/* Of each sort of input: adds the pieces of a text, changes one or several, and completes one that is written. */
void mutate_parse(struct mutation *m, struct str text);
void mutate_change(struct mutation *m);
void mutate_finish(struct mutation *m, struct piece *p);

/* A number below n; 0 for 0. */
size_t mutate_any(struct mutation *m, size_t n);
struct piece *mutate_any_piece(struct mutation *m);
/* Takes out pieces that follow each other, `most` at most. */
void mutate_drop(struct mutation *m, size_t most);
void mutate_repeat(struct mutation *m);
void mutate_swap(struct mutation *m);
