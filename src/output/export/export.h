/*
 * export: the formats of `pt2trace export`: the facts of a run for one reader or one other program each. A format is a
 * row of `formats` in export.c and a function in an export_*.c; --help says whom it is for. One thread.
 */
#pragma once

#include "analysis/time/timeline.h"
#include "util/system/file.h"
#include "view/view.h"

struct export_format {
    const char *name;
    /* 0, or -errno when a payload cannot be read back. v->scratch may be reset in it. NULL where it is no stream. */
    int (*write)(struct sink *out, struct view *v, const struct about *about);
    /* A file of its own kind, or a directory of files. 0 or -errno, with *error in v->scratch. NULL for most. */
    int (*write_to)(const char *path, struct view *v, struct str *error);
    bool to_directory; /* write_to makes a directory; without one the format is a stream */
    bool as_it_is;     /* it holds what the trace holds: nothing can be redacted in it */
};

/* NULL when there is no such format. */
const struct export_format *export_find(const char *name);

/* What timelines call a process and a track of it, in the arena. */
struct str export_process_name(struct arena *a, const struct process *p);
struct str export_lane_name(struct arena *a, const struct lane *lane);

int export_json(struct sink *out, struct view *v, const struct about *about);
int export_markdown(struct sink *out, struct view *v, const struct about *about);
int export_perfetto(struct sink *out, struct view *v, const struct about *about);
int export_collapsed(struct sink *out, struct view *v, const struct about *about);
int export_speedscope(struct sink *out, struct view *v, const struct about *about);
int export_raw(struct sink *out, struct view *v, const struct about *about);
int export_sarif(struct sink *out, struct view *v, const struct about *about);
int export_junit(struct sink *out, struct view *v, const struct about *about);
int export_tables(struct sink *out, struct view *v, const struct about *about);
int export_csv_to(const char *dir, struct view *v, struct str *error);
int export_tlparse_to(const char *dir, struct view *v, struct str *error);
int export_tables_to(const char *dir, struct view *v, struct str *error);
int export_sqlite_to(const char *path, struct view *v, struct str *error);
