/*
 * break_advice: what is said of one graph break, and what helps: the result of break_fix. Plain data.
 */
#pragma once

#include "analysis/breaks/break_site.h"

/* How much a break of a kind can harm, whatever is around it. */
enum break_weight {
    BREAK_COUNTS,   /* goes by the operators around it */
    BREAK_IS_LOW,   /* wanted, or where nothing is lost: low at most */
    BREAK_IS_KNOWN, /* by design, with nothing to be done: a fact */
};

struct break_fix {
    enum break_kind kind;
    enum break_weight weight;
    const char *id;      /* of the finding: "break-print" */
    struct str what;     /* for a title: "`print(…)`"; empty: the type that PyTorch gives it says it best */
    struct str fix;      /* sentences; never empty */
    struct str paste;    /* may be empty */
    struct str where;    /* in words: where a pattern goes; may be empty */
    bool is_setting;     /* the text to paste is a setting, as it stands; else a pattern */
    int64_t read_line;   /* where a value is read of a tensor that the break makes: the advice is for both; 0 nowhere */
    bool may_be_setting; /* ... if what comes behind the break takes a value that only the running graph knows */
    bool shows_source;   /* the line of code says in a title which one it is */
    struct break_site site;
};
