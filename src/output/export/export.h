/*
 * export: the formats of `pt2trace export`. Each presents the facts of a run to a certain reader or program. A format
 * is a row of `formats` in export.c and a function in an export_*.c; --help says who it is for. One thread.
 */
#pragma once

#include "analysis/time/timeline.h"
#include "util/system/file.h"
#include "view/view.h"

struct export_format {
    const char *name;
    /* 0, or -errno if a payload cannot be read back. May reset v->scratch. NULL if the format is not a stream. */
    int (*write)(struct sink *out, struct view *v, const struct about *about);
    /*
     * Writes a file of another kind, or a directory of files. 0 or -errno; *error, in v->scratch, then says which file
     * failed and why, and is empty if it is `path` itself. NULL for most formats.
     */
    int (*write_to)(const char *path, struct view *v, struct str *error);
    bool to_directory; /* write_to creates a directory; if none is named, the format is a stream */
    bool as_it_is;     /* it contains the trace as it is, so nothing can be redacted */
};

/* NULL if there is no such format. */
const struct export_format *export_find(const char *name);

/* "out/findings.csv: Is a directory", in the arena; empty if rc is 0. */
struct str export_failure(struct arena *a, struct str path, int rc);

/* The name of a process, and of a track in it, in timelines. In the arena. */
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
