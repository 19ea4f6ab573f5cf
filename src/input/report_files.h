/*
 * report_files: what reports leave beside traces. A report holds copies of what it was made from, and reading it again
 * would count everything twice. Directories of reports are known by the files in them, single files by how they begin.
 * One thread.
 */
#pragma once

#include "util/map.h"

/* The marker: it stands in a directory that pt2trace wrote to and lists the files of the report, one a line. */
#define REPORT_MARKER ".pt2trace-report"
#define REPORT_MARKER_HEAD "pt2trace report: files listed here are replaced by --overwrite, others are left alone\n"

/* Where files lie until they are published, in the same directory. */
#define REPORT_STAGE ".pt2trace-stage"

/*
 * Adds the names that the marker at `path` lists to the keys of *names; a name that leads out of the directory is left
 * out. 0 or -errno: -ENOENT when there is no marker, -EINVAL when the file is something else.
 */
int report_marker_read(const char *path, struct map *names);

/* The application_id of the databases that pt2trace writes: "pt.t" (https://sqlite.org/pragma.html). */
#define REPORT_DATABASE "1886662260"

/* Who wrote a directory, as far as discovery cares. */
enum report_dir {
    REPORT_DIR_NONE,
    REPORT_DIR_PT2TRACE,    /* the files that its marker lists are a report */
    REPORT_DIR_TLPARSE,     /* all of it is tlparse's, for one rank: `raw.log` is a copy of the trace */
    REPORT_DIR_TLPARSE_ALL, /* the same for all ranks: in it rank_N are directories of that sort */
    REPORT_DIR_TLHUB,       /* a run of tlhub: the trace is in `trace`, the rest was made of it */
};

enum report_dir report_dir_of(const char *dir);

/* Why a file that begins like this is not read: a report, though it quotes traces and logs. Empty: it is none. */
struct str report_reason(struct str beginning);
