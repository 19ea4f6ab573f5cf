/*
 * sarif: a SARIF 2.1.0 document with the results of one run of pt2trace, in the form that GitHub code scanning
 * expects: each rule has texts; each result has a place relative to the sources, and a fingerprint that does not
 * change when lines move. One thread.
 */
#pragma once

#include "analysis/find/finding.h"
#include "output/files/relative_path.h"
#include "util/formats/json.h"

struct sarif {
    struct arena *arena;
    struct source_tree tree;
    json_t *rules, *results;
    struct str anywhere; /* the place of results without a place: a file that certainly exists; empty: "." */
};

struct sarif_result {
    struct str rule; /* the id of the rule, which must have been added */
    enum finding_severity severity;
    struct str message;
    struct str file; /* the path in the trace; may be empty */
    int64_t line;    /* 0 if there is none */
    struct str key;  /* identifies the same result in other runs of the program */
};

void sarif_begin(struct sarif *s, struct arena *a, const char *root);
/* Adds a rule, unless there is one with that id. `title` is a sentence; `text` may be longer; `url` may be empty. */
void sarif_rule(struct sarif *s, struct str id, struct str title, struct str text, struct str url);
void sarif_add(struct sarif *s, const struct sarif_result *r);
/* Returns the document with a newline at its end, in the arena. */
struct str sarif_end(struct sarif *s);
