/*
 * relative_path: places in the user's code as a code review knows them: relative to the folder of the sources that lies
 * on this machine. Traces have the paths of the machine that ran the program. One thread.
 */
#pragma once

#include "util/map.h"

struct source_tree {
    struct arena *arena;
    const char *root;    /* a directory; "." for the current one */
    struct str real;     /* its path without links; empty when it cannot be resolved */
    struct map relative; /* a file of the trace -> its relative path, as struct str: each is looked for once */
};

/* The root must live as long as the tree. */
void source_tree_init(struct source_tree *t, struct arena *a, const char *root);

/*
 * The path of a file relative to the root: below it as the trace has it, or the longest end of the path that is a file
 * there; empty when there is none. Only whether files exist is looked at.
 */
struct str relative_path(struct source_tree *t, struct str file);
