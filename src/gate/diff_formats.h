/*
 * diff_formats: what diff_make found, for people: on a terminal, and as Markdown for a review. One thread.
 */
#pragma once

#include "output/text/text.h"
#include "util/formats/json.h"

void diff_text(struct text *t, const json_t *diff);
struct str diff_markdown(struct arena *a, const json_t *diff);
/* A page in the form of the report: one file. */
struct str diff_html(struct arena *a, const json_t *diff);
