/*
 * report: the output directory of the main job: index.html, report.json and, when asked for, payloads as files.
 */
#pragma once

#include "output/files/artifact_files.h"
#include "output/html/html.h"

struct report_options {
    const char *dir;
    bool replace; /* a report that is there */
    enum artifacts_wanted artifacts;
    struct html_options html; /* its detail_bytes and same_bytes are found here */
};

/* What came of it. On an error `failed` names what it happened to; when it is empty that is a temporary file. */
struct report_result {
    uint64_t html_bytes;
    size_t inlined, left_out; /* payloads in the page, and not */
    size_t left_out_same;     /* not, of compiles that an earlier rank did, too */
    struct str failed;
};

/*
 * Writes everything. The directory must be free or ours. 0 or -errno, as those of manifest_begin. `arena` keeps the
 * result's text.
 */
int report_write(struct arena *arena, const struct answers *answers, const struct report_options *options,
                 struct pool *pool, struct report_result *result);
