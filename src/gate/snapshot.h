/*
 * snapshot: the facts of one run in the form of report.json, for comparing runs with limits or with each other. They
 * come from a report.json, or from a trace through the same writer, so that both mean the same. Texts live as long as
 * the snapshot. One thread.
 */
#pragma once

#include "util/arena.h"
#include "util/formats/json.h"

struct snapshot {
    json_t *root;
    bool traced; /* at least part of it is from a trace: a count of 0 then means that there was none */
};

struct run;

/* One of two runs to compare. */
struct diff_side {
    struct str name; /* as given */
    const struct snapshot *facts;
    const struct run *run; /* for the texts of graphs; NULL if there is only a report.json */
};

/* Whether the file at a path is a report.json, by how it begins. */
bool snapshot_is_report(const char *path);

/* Reads the text of a report.json. False, with *why saying what is wrong, if it cannot be used. */
bool snapshot_read(struct snapshot *s, struct arena *a, struct str text, struct str *why);
void snapshot_free(struct snapshot *s);

/* A list of the report ("findings"). For json_array_foreach, which walks none that is missing. Borrowed. */
json_t *snapshot_list(const struct snapshot *s, const char *name);
/* A number in "totals"; -1 if the report does not know it. */
int64_t snapshot_total(const struct snapshot *s, const char *name);
/* Seconds in "totals", in microseconds; -1 unknown. */
int64_t snapshot_total_us(const struct snapshot *s, const char *name);

/* Members of an object: empty, or -1, if they are missing, null or of another type. */
struct str member_text(const json_t *o, const char *key);
int64_t member_number(const json_t *o, const char *key);

/*
 * Keys that identify an item in two runs of one program: without line numbers and compile ids, which change when the
 * program is edited. A key begins with the kind of the item.
 */
struct str break_key(struct arena *a, const json_t *graph_break);
struct str recompile_key(struct arena *a, const json_t *recompile);
struct str error_key(struct arena *a, const json_t *error);
struct str finding_key(struct arena *a, const json_t *finding);

/* A key that identifies a compile within one report; `id` is the member with its id. */
struct str compile_key(struct arena *a, const json_t *ref, const char *id);
