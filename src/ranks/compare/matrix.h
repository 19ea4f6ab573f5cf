/*
 * matrix: decides which compiles of the ranks of one run are the same compile. It compares what was compiled: the code
 * object (file name, line, function), its number among equal ones in the process, the epoch, and the number of the
 * compile. Frame ids, the order of files and times do not count, except in logs that do not name every function:
 * there, a frame without a name is the frame with the same id in other ranks. Results live in the arena given; the
 * model is only read.
 */
#pragma once

#include "ranks/compare/fingerprint.h"

struct matrix_maker {
    struct arena *arena;
    struct rank_matrix *matrix;
    struct rank_member *member; /* the last one added */
    struct map rows;            /* key of what was compiled -> struct rank_row */
    struct map nameless;        /* id of a frame that some log does not name -> struct nameless_frame */
    struct map frames;          /* for the member: frame -> its number among those of the same code, from 1 */
    struct buf key;
};

/* Add members in the order of ranks, each followed by its compiles in the order of compiling. */
void matrix_begin(struct matrix_maker *k, struct arena *a, struct rank_matrix *out);
/* Before members are added: looks for frames without a name in any of them. */
void matrix_note_frames(struct matrix_maker *k, const struct process *const *members, size_t n);
void matrix_add_member(struct matrix_maker *k, const struct process *p);
void matrix_add_compile(struct matrix_maker *k, const struct compile *c, struct fingerprint *print);
/* Sorts the rows into the order in which most ranks compiled them. */
void matrix_end(struct matrix_maker *k);

/* All steps for one group of processes of a run. With fewer than two members there are no rows. */
void matrix_make(struct arena *a, const struct run *r, uint32_t group, struct fingerprinter *f,
                 struct rank_matrix *out);

/* Records which compiles did the same: compile -> struct rank_alike. */
void matrix_note_alike(const struct rank_matrix *m, struct arena *a, struct map *out);
