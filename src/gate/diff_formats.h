/*
 * diff_formats: the result of diff_make for people: on a terminal, as Markdown for a review, and as an HTML page. One
 * thread.
 */
#pragma once

#include "output/text/text.h"
#include "util/formats/json.h"

void diff_text(struct text *t, const json_t *diff);
struct str diff_markdown(struct arena *a, const json_t *diff);
/* A page that looks like the report, in a single file. */
struct str diff_html(struct arena *a, const json_t *diff);
