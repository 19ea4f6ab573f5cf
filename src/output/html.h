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
    const char *custom_header;  /* raw HTML for the top of the page, or NULL */
    const char *const *command; /* argv */
    size_t command_n;
};

/* How many bytes of the page are for everything but payloads. */
uint64_t html_body_budget(const struct run *run, uint64_t max_bytes);

/* Writes the page. 0 or -errno when payload blocks cannot be read back. */
int html_write(struct sink *out, struct view *v, const struct html_options *options, const struct blocks *blocks);
