/* report: the output directory of the main command: index.html, report.json and, on request, payloads as files. */
#pragma once

#include "output/files/artifact_files.h"
#include "output/html/html.h"

struct report_options {
    const char *dir;
    bool replace; /* an existing report may be replaced */
    enum artifacts_wanted artifacts;
    struct kernel_store *kernels; /* of the run: zeroed or begun; filled by report_write */
    struct html_options html; /* detail_bytes and same_bytes are set by report_write */
};

/* The outcome. After an error, `failed` names the file concerned; if it is empty, that is a temporary file. */
struct report_result {
    uint64_t html_bytes;
    size_t inlined, left_out; /* payloads in the page, and those left out */
    size_t left_out_same;     /* payloads left out that an earlier rank has as well */
    struct str failed;
};

/*
 * Writes everything. The directory must be free or ours. 0 or -errno, with the errors of manifest_begin. The result's
 * text is in `arena`.
 */
int report_write(struct arena *arena, const struct answers *answers, const struct report_options *options,
                 struct pool *pool, struct report_result *result);
