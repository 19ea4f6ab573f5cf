/*
 * report_files: recognizes reports among traces. A report holds copies of what it was made from, and reading them
 * would count everything twice. Directories of reports are recognized by the files in them, single files by how they
 * begin. One thread.
 */
#pragma once

#include "util/map.h"

/* The marker: a file in every directory that pt2trace wrote to, which lists the files of the report, one per line. */
#define REPORT_MARKER ".pt2trace-report"
#define REPORT_MARKER_HEAD "pt2trace report: files listed here are replaced by --overwrite, others are left alone\n"

/* A directory next to the report, where its files are written before they are published. */
#define REPORT_STAGE ".pt2trace-stage"

/*
 * Adds the names that the marker at `path` lists to the keys of *names; a name that leads out of the directory is
 * skipped. 0 or -errno: -ENOENT if there is no marker, -EINVAL if the file is not a marker.
 */
int report_marker_read(const char *path, struct map *names);

/* The application_id of databases that pt2trace writes: "pt.t" (https://sqlite.org/pragma.html). */
#define REPORT_DATABASE "1886662260"

/* Which tool wrote a directory, as far as discovery cares. */
enum report_dir {
    REPORT_DIR_NONE,
    REPORT_DIR_PT2TRACE,    /* the files that its marker lists are a report */
    REPORT_DIR_TLPARSE,     /* all of it is a tlparse report for one rank: `raw.log` is a copy of the trace */
    REPORT_DIR_TLPARSE_ALL, /* the same for all ranks: its folders rank_N are such directories */
    REPORT_DIR_TLHUB,       /* a run of tlhub: the trace is in `trace`, the rest was made from it */
};

enum report_dir report_dir_of(const char *dir);

/*
 * Why a file that begins like this is not read: it is a report, which quotes traces and logs. Empty if it is not a
 * report.
 */
struct str report_reason(struct str beginning);
