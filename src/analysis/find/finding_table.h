/*
 * finding_table: what there is to be found, one row per finding: what it is, how bad, and where the documentation says
 * more; and the page of the guide on each. `pt2trace findings` prints it. Static data.
 */
#pragma once

#include "util/str.h"

#include <stdbool.h>
#include <stddef.h>

struct finder;

/* What a finding is, whatever trace it is found in. */
struct finding_info {
    const char *id;
    const char *severity;           /* which one, or what decides it */
    const char *detects;            /* one sentence, without a full stop */
    const char *doc;                /* an https:// address that says more */
    void (*find)(struct finder *f); /* rows of a family have one function in common and stand together */
    bool has_text;                  /* it may have a text to paste: a program in tests/advice must prove it */
    bool is_failure;                /* something stopped: stands before all that only cost time */
};

/* Walks the table: i from 0, NULL at the end. */
const struct finding_info *finding_info_at(size_t i);

/* The number of a row by its id, which is there. */
size_t finding_row(const char *id);

/*
 * docs/findings/ID.md from its first heading on, as Markdown: what a report says, and where the finding has a program
 * in tests/advice, the program, the program mended and the proof. By tools/embed-pages, in no order.
 */
struct finding_page {
    const char *id;
    struct str text;
};

extern const struct finding_page finding_pages[];
extern const size_t finding_page_count;

/* The page of a finding; empty when there is none. */
struct str finding_page_of(const char *id);
