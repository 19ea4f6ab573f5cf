/*
 * relative_path: turns paths in the trace, which come from the machine that ran the program, into paths relative to
 * the folder with the sources on this machine, as code reviews use them. One thread.
 */
#pragma once

#include "util/map.h"

struct source_tree {
    struct arena *arena;
    const char *root;    /* a directory; "." for the current one */
    struct str real;     /* its path with links resolved; empty if that fails */
    struct map relative; /* a path of the trace -> its relative path as a struct str: each is looked up once */
};

/* The root must live as long as the tree. */
void source_tree_init(struct source_tree *t, struct arena *a, const char *root);

/*
 * The path of a file relative to the root: the part below it if the trace's path is there, or else the longest end of
 * the path that exists below the root; empty if there is none. Files are not read.
 */
struct str relative_path(struct source_tree *t, struct str file);
