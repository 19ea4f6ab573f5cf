/*
 * matrix: which compiles of the ranks of one run are the same compile, by what was compiled: the code object (name of
 * the file, line, function), which of several such in the order of the process, the epoch, and the number of the
 * compile. Ids of frames, the order of files and times play no part, but in logs that do not name every function: a
 * frame without a name stands for the frame of the same id in other ranks. Results live in the arena given; read-only
 * on the model.
 */
#pragma once

#include "ranks/compare/fingerprint.h"

struct matrix_maker {
    struct arena *arena;
    struct rank_matrix *matrix;
    struct rank_member *member; /* the last one added */
    struct map rows;            /* what was compiled -> struct rank_row */
    struct map nameless;        /* id of a frame that some log does not name -> struct nameless_frame */
    struct map frames;          /* of the member: frame -> which of those of the same code it is, from 1 */
    struct buf key;
};

/* Members come ascending by rank, each followed by its compiles in the order in which it compiled them. */
void matrix_begin(struct matrix_maker *k, struct arena *a, struct rank_matrix *out);
/* Before the members are added: looks for frames without a name in any of them. */
void matrix_note_frames(struct matrix_maker *k, const struct process *const *members, size_t n);
void matrix_add_member(struct matrix_maker *k, const struct process *p);
void matrix_add_compile(struct matrix_maker *k, const struct compile *c, struct fingerprint *print);
/* Puts the rows into the order in which most ranks compiled them. */
void matrix_end(struct matrix_maker *k);

/* All of it from one group of processes of a run. With fewer than two members there are no rows. */
void matrix_make(struct arena *a, const struct run *r, uint32_t group, struct fingerprinter *f,
                 struct rank_matrix *out);

/* Adds what did the same as a compile: compile -> struct rank_alike. */
void matrix_note_alike(const struct rank_matrix *m, struct arena *a, struct map *out);
