/*
 * sarif: a SARIF 2.1.0 document of one run of ours, as code scanning of GitHub takes it: each rule has its texts, each
 * result a place that is relative to the sources, and a fingerprint that stays when lines move. One thread.
 */
#pragma once

#include "analysis/find/finding.h"
#include "output/files/relative_path.h"
#include "util/formats/json.h"

struct sarif {
    struct arena *arena;
    struct source_tree tree;
    json_t *rules, *results;
    struct str anywhere; /* the place of a result that has none: a file that is surely there; empty: "." */
};

struct sarif_result {
    struct str rule;   /* its id; the rule must have been added */
    enum finding_severity severity;
    struct str message;
    struct str file; /* of the trace; may be empty */
    int64_t line;    /* 0: none */
    struct str key;  /* the same in another run of the same program */
};

void sarif_begin(struct sarif *s, struct arena *a, const char *root);
/* Nothing when a rule of that id is there. `title` is a sentence; `text` may be longer; `url` may be empty. */
void sarif_rule(struct sarif *s, struct str id, struct str title, struct str text, struct str url);
void sarif_add(struct sarif *s, const struct sarif_result *r);
/* The document as a text with a newline at its end, in the arena. */
struct str sarif_end(struct sarif *s);
