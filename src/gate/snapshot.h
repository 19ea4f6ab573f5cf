/*
 * snapshot: the facts of one run as report.json holds them, for what compares runs with limits or with each other. They
 * come from a report.json, or from a trace through the same writer, so that both mean the same. Texts live as long as
 * the snapshot. One thread.
 */
#pragma once

#include "util/arena.h"
#include "util/formats/json.h"

struct snapshot {
    json_t *root;
    bool traced; /* something of it is from a trace: a count of 0 means that there was none */
};

struct run;

/* One of two runs that are compared. */
struct diff_side {
    struct str name; /* as it was given */
    const struct snapshot *facts;
    const struct run *run; /* for the texts of graphs; NULL when only a report.json is there */
};

/* Whether the file at a path is a report.json, by how it begins. */
bool snapshot_is_report(const char *path);

/* The text of a report.json. False, with *why saying what is wrong with it, when it is none that can be read. */
bool snapshot_read(struct snapshot *s, struct arena *a, struct str text, struct str *why);
void snapshot_free(struct snapshot *s);

/* A list of the report ("findings"); an empty one when there is none. Borrowed. */
json_t *snapshot_list(const struct snapshot *s, const char *name);
/* A number of "totals"; -1 when the report does not know it. */
int64_t snapshot_total(const struct snapshot *s, const char *name);
/* Seconds of "totals" in microseconds; -1 unknown. */
int64_t snapshot_total_us(const struct snapshot *s, const char *name);

/* Members of an object: empty, or -1, where there is none, it is null or of another type. */
struct str member_text(const json_t *o, const char *key);
int64_t member_number(const json_t *o, const char *key);

/*
 * What names an item in two runs of one program: without numbers of lines and compiles, which move when it is edited. A
 * key begins with the kind of the item.
 */
struct str break_key(struct arena *a, const json_t *graph_break);
struct str recompile_key(struct arena *a, const json_t *recompile);
struct str error_key(struct arena *a, const json_t *error);
struct str finding_key(struct arena *a, const json_t *finding);

/* What names a compile within one report; `id` is the member that holds its id. */
struct str compile_key(struct arena *a, const json_t *ref, const char *id);
