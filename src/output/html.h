/*
 * html: the report as one self-contained page. Sections are written one after the other, rows one at a time, so that
 * memory does not grow with the page. All markup is in templates/; this file knows their names.
 */
#pragma once

#include "output/blocks.h"
#include "util/file.h"
#include "view/page.h"

struct html_options {
    uint64_t max_bytes;         /* --max-html-size */
    uint64_t detail_bytes;      /* of them, for the compiles: html_detail_budget, or less */
    const char *custom_header;  /* raw HTML for the top of the page, or NULL */
    struct about about;
};

/* How many bytes of the page everything but payloads should get: what that will take, but no more than half. */
uint64_t html_detail_budget(const struct run *run, uint64_t max_bytes);

/* How large the page is without its payloads; where they are is in v. */
uint64_t html_measure(struct view *v, const struct html_options *options);

/* Writes the page. 0 or -errno when payload blocks cannot be read back. */
int html_write(struct sink *out, struct view *v, const struct html_options *options, const struct blocks *blocks);
