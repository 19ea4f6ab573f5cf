/*
 * html: the report as one self-contained page. Sections are written one after another, and their rows one at a time,
 * so that memory does not grow with the page. All markup is in templates/; this file only knows their names.
 */
#pragma once

#include "output/html/blocks.h"
#include "util/system/file.h"
#include "view/page.h"

struct html_options {
    uint64_t max_bytes;         /* --max-html-size */
    uint64_t detail_bytes;      /* the part for compiles: html_detail_budget, or less */
    uint64_t same_bytes;        /* the part of that for details of what an earlier rank did in the same way */
    const char *custom_header;  /* raw HTML for the top of the page, or NULL */
    unsigned reload_s;          /* the page reloads after so many seconds; 0: never */
    struct about about;
    struct pool *pool; /* its threads render entries; NULL: none */
};

/* The value for detail_bytes: an estimate of everything except payloads, but no more than half the page. */
uint64_t html_detail_budget(const struct answers *answers, const struct html_options *options);

/*
 * The page in two parts: first everything for reading (with the places of payloads from v), then the payloads and the
 * scripts.
 */
void html_write_text(struct sink *out, struct view *v, const struct html_options *options);
/* 0, or -errno if payload blocks cannot be read back. */
int html_write_end(struct sink *out, struct view *v, const struct html_options *options, const struct blocks *blocks);

/* The size of the second part without payloads. */
uint64_t html_end_bytes(struct view *v, const struct html_options *options);
