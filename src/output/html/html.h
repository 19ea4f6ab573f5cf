/*
 * html: the report as one self-contained page. Sections are written one after the other, rows one at a time, so that
 * memory does not grow with the page. All markup is in templates/; this file knows their names.
 */
#pragma once

#include "output/html/blocks.h"
#include "util/system/file.h"
#include "view/page.h"

struct html_options {
    uint64_t max_bytes;         /* --max-html-size */
    uint64_t detail_bytes;      /* of them, for the compiles: html_detail_budget, or less */
    uint64_t same_bytes;        /* of those at most, for details of what an earlier rank did, too */
    const char *custom_header;  /* raw HTML for the top of the page, or NULL */
    unsigned reload_s;          /* the page is loaded again after so many seconds; 0: it is not */
    struct about about;
    struct pool *pool;          /* whose threads render entries; NULL: none */
};

/* What detail_bytes should be: what everything but payloads will take, but no more than half of the page. */
uint64_t html_detail_budget(const struct answers *answers, const struct html_options *options);

/* The page in two parts: all that is to be read (where payloads are is in v), then the payloads and the scripts. */
void html_write_text(struct sink *out, struct view *v, const struct html_options *options);
/* 0 or -errno when payload blocks cannot be read back. */
int html_write_end(struct sink *out, struct view *v, const struct html_options *options, const struct blocks *blocks);

/* How many bytes the second part takes beside the payloads. */
uint64_t html_end_bytes(struct view *v, const struct html_options *options);
