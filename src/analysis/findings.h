/*
 * findings: the verdicts. A finding says what is wrong in one sentence, where in the user's code, what it cost, and
 * what to do about it. The same cause in many frames is one finding. Results live in the arena given.
 *
 * Adding one: a row in finding_table.c, and what makes it (a function of its own, or one more case of its family's).
 */
#pragma once

#include "analysis/answers.h"
#include "analysis/finding_table.h"

enum finding_severity { FINDING_CRITICAL, FINDING_HIGH, FINDING_MEDIUM, FINDING_LOW, FINDING_INFO, FINDING_SEVERITIES };

const char *finding_severity_name(enum finding_severity s);

struct finding {
    struct str id; /* stable: the id of its row, and a number when there are several */
    const struct finding_info *info;
    enum finding_severity severity;
    struct str title;  /* one sentence without a full stop; code is in `backticks` */
    struct str detail; /* sentences; may be empty */
    int rank;          /* the only one it concerns; RANK_UNKNOWN when there are several or none is known */
    VEC(int) ranks;    /* all that it concerns, ascending; empty when none is known */
    int64_t cost_us;   /* wall time lost, -1 unknown */
    uint64_t cost_compiles, cost_breaks; /* 0 none */
    struct str file;                     /* the user's line; may be empty */
    int64_t line;
    struct str source;
    struct str fix;                       /* in plain words; may be empty */
    struct str paste;                     /* text to paste; may be empty */
    struct str doc;                       /* an https:// address: of the row, or a better one */
    VEC(const struct compile *) compiles; /* evidence */
    uint64_t compiles_more;               /* how many there are beyond those */
    const struct compile *latest;         /* the last that was added to the evidence */
    bool hidden;                          /* over the limit of its row: not in the list */
};

struct findings {
    VEC(struct finding *) list; /* worst first */
};

/* `answers` holds the results of the other analyses. */
void findings_find(struct arena *a, const struct run *r, const struct answers *answers, struct findings *out);
