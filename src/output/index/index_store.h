/*
 * index_store: the database of `pt2trace index`: many runs, and what was found in each. A source is what was read as
 * one thing (a directory, a file); it is replaced as a whole, in one transaction, when a file of it changed. The tables
 * are described in docs/tables.md. One thread.
 */
#pragma once

#include "util/formats/database.h"
#include "util/vec.h"
#include "view/view.h"

/* A file of a source, as it is now. */
struct index_file {
    struct str path;
    uint64_t bytes;
    int64_t mtime_ns;
};

struct index_source {
    struct str path; /* from the root */
    VEC(struct index_file) files;
};

/*
 * Opens a database, or makes one. NULL, with *error in the arena, when that cannot be done or the file is a database of
 * something else.
 */
struct database *index_open(struct arena *a, const char *path, struct str *error);

/* Whether the database has the source as it is: by size, and time or content. Times that changed alone are noted. */
bool index_is_known(struct database *d, const struct index_source *s);

/* Begins to replace what is known of a source; everything counts only with index_commit. False after an error. */
bool index_begin(struct database *d, const struct index_source *s);
/* Adds a run of it: its `number`-th. */
bool index_add_run(struct database *d, const struct index_source *s, uint32_t number, struct view *v);
/* Whether another source has the same files: then its runs are there already, and are not added again. */
bool index_note_copy(struct database *d, const struct index_source *s, bool *copy);
/* What the user says of the runs of a source; NULL leaves it as it is. */
struct index_words {
    const char *commit, *host, *label;
};
bool index_describe(struct database *d, const struct index_source *s, const struct index_words *words);
bool index_commit(struct database *d);
void index_give_up(struct database *d);

/* How many places at a path, or below it, have runs, or are copies of such. -1 after an error. */
int64_t index_places(struct database *d, struct str path);

/* Removes what is known of a path and of all below it; returns how many runs that were, of so many places; -1 after an
 * error. */
int64_t index_remove(struct database *d, struct str path, size_t *places);
