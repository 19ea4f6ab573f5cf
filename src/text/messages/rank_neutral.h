/*
 * rank_neutral: removes from the text of a graph, of generated code or of guards what differs between processes that
 * did the same: addresses and ids of objects, directories, names of generated files, the index of the device, the
 * number of the graph in its process. Process groups are numbered in the order in which the text names them: the ranks
 * of a mesh run the same code in groups of different names.
 *
 *   ___check_obj_id(G['torch'], 140715492512752)      ___check_obj_id(G['torch'], #)
 *   # AOT ID: ['4_inference']                         # AOT ID: ['_inference']
 *   ===== __compiled_fn_9_d5395459_7f88_… =====       ===== __compiled_fn_ =====
 *   ===== Forward graph 2 =====                       ===== Forward graph  =====
 *   "f32[4][1]cuda:3"                                 "f32[4][1]cuda:"
 *   _c10d_functional.all_reduce(mul, 'sum', '5')      _c10d_functional.all_reduce(mul, 'sum', 'group 1')
 *
 * In guards, ids may have fewer digits, so shorter numbers count as ids there, too. Also removed are the comment after
 * a check (for a guard on several objects, the line that PyTorch names depends on the order of a set), the time that a
 * check takes, and the number of threads. Linear in the text. Any thread.
 */
#pragma once

#include "util/buf.h"

enum { RANK_GROUPS_MAX = 64 };

struct rank_neutral {
    bool guards;                        /* the text is a list of guards */
    bool without_sizes;                 /* also removes numbers in brackets, such as tensor sizes */
    bool json;                          /* the text is JSON, whose brackets may span lines */
    unsigned brackets;                  /* number of open brackets */
    bool title;                         /* the line is the title of a graph in a log */
    struct str groups[RANK_GROUPS_MAX]; /* the groups named so far; views of the lines given */
    size_t group_count;
};

/* Appends one line in a form that is the same on all ranks. The line must stay in place as long as n is used. */
void rank_neutral_line(struct rank_neutral *n, struct str line, struct buf *out);

/* The number of a process group, from 1. The last number stands for all groups that are more than RANK_GROUPS_MAX. */
size_t rank_neutral_group(struct rank_neutral *n, struct str name);
