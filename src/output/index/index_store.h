/*
 * index_store: the database of `pt2trace index`: many runs, and the findings in each. A source is what was read
 * together (a directory, a file); if one of its files changed, the whole source is replaced in one transaction.
 * docs/tables.md describes the tables. One thread.
 */
#pragma once

#include "util/formats/database.h"
#include "util/vec.h"
#include "view/view.h"

/* A file of a source, in its current state. */
struct index_file {
    struct str path;
    uint64_t bytes;
    int64_t mtime_ns;
};

struct index_source {
    struct str path; /* the absolute path */
    VEC(struct index_file) files;
};

/* Opens a database, or creates one. NULL, with *error in the arena, if that fails or the file is another database. */
struct database *index_open(struct arena *a, const char *path, struct str *error);

/*
 * Whether the database has the source in its current state: by size, and time or contents. If only times changed, they
 * are updated.
 */
bool index_is_known(struct database *d, const struct index_source *s);

/* Begins to replace a source; nothing changes until index_commit. False after an error: close the database then. */
bool index_begin(struct database *d, const struct index_source *s);
/* Adds a run of the source: its `number`-th. */
bool index_add_run(struct database *d, const struct index_source *s, uint32_t number, struct view *v);
/* Whether another source has the same files: its runs are then already there, and are not added again. */
bool index_note_copy(struct database *d, const struct index_source *s, bool *copy);
/* The user's words about the runs of a source; NULL leaves them unchanged. */
struct index_words {
    const char *commit, *host, *label;
};
bool index_describe(struct database *d, const struct index_source *s, const struct index_words *words);
bool index_commit(struct database *d);

/* The number of sources at a path, or below it, that have runs or are copies of such sources. -1 after an error. */
int64_t index_places(struct database *d, struct str path);

/* Removes everything at a path and below it; returns the number of runs removed, and of sources; -1 after an error. */
int64_t index_remove(struct database *d, struct str path, size_t *places);
