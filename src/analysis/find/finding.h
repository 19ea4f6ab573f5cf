/*
 * finding: a verdict. It states in one sentence what is wrong, where in the user's code, what it cost, and what to do
 * about it. The same cause in many frames is one finding. Plain data, in the arena of the findings.
 */
#pragma once

#include "analysis/find/finding_table.h"
#include "model/model.h"

enum finding_severity { FINDING_CRITICAL, FINDING_HIGH, FINDING_MEDIUM, FINDING_LOW, FINDING_INFO, FINDING_SEVERITIES };

const char *finding_severity_name(enum finding_severity s);

/* The kind of a text to paste, which determines how it is applied. */
enum paste_kind {
    PASTE_NONE,
    PASTE_STATEMENT,   /* Python statements for a place in the program */
    PASTE_SETTING,     /* Python statements that change PyTorch's configuration, for the start of the program */
    PASTE_ENVIRONMENT, /* NAME=VALUE, before the command that runs the program */
    PASTE_COMMAND,     /* a shell command */
    PASTE_PATTERN,     /* a sketch: the user fills in names, or code in place of "..." */
    PASTE_KINDS
};

const char *paste_kind_name(enum paste_kind k); /* as in report.json; NULL for PASTE_NONE */

struct fix_paste {
    struct str text; /* empty: there is nothing to paste */
    enum paste_kind kind;
    /* a line of the user's code: the text goes before it, with the same indentation; "" and 0 if there is none */
    struct str file;
    int64_t line;
    struct str where; /* the place in words: "before the call, in the caller" */
    bool for_all;     /* PASTE_SETTING: it makes the sizes and numbers of all functions dynamic */
};

/* One of several places in the user's code with the same problem. */
struct finding_spot {
    struct str file;
    int64_t line;
    struct str source;
    uint64_t count; /* compiles that met it */
};

struct finding_cost;

struct finding {
    struct str id; /* stable: the id of its row, with a number if there are several */
    const struct finding_info *info;
    enum finding_severity severity;
    struct str title;  /* one sentence without a full stop; code is in `backticks` */
    struct str detail; /* sentences; may be empty */
    int rank;          /* the only rank it concerns; RANK_UNKNOWN if there are several, or none is known */
    VEC(int) ranks;    /* all ranks it concerns, ascending; empty if none is known */
    /*
     * What would have been saved without the problem, on the rank with the highest cost: wall time (-1 unknown),
     * compiles and graph breaks (0 none). No time is in two findings unless one follows from the other. See find.h.
     */
    int64_t cost_us;
    uint64_t cost_compiles, cost_breaks;
    uint64_t cost_ranks; /* number of ranks with any cost; 0 if none is known */
    VEC(struct finding_cost *) costs;
    struct str file; /* the user's line; may be empty */
    int64_t line;
    struct str source;
    struct str function; /* ... which has the line; empty if it is not known */
    VEC(struct finding_spot) spots; /* all places, starting with the one above; empty if there is only that one */
    struct str fix;                 /* in plain words; may be empty */
    struct fix_paste paste;
    const struct fix *tried;              /* result of `pt2trace run --fix` for the text to paste; NULL: not tried */
    struct str doc;                       /* an https:// address: the row's, or a better one */
    VEC(const struct compile *) compiles; /* evidence */
    uint64_t compiles_more;               /* number of compiles beyond those */
    const struct compile *latest;         /* the last compile added to the evidence */
    /* the cause, without which this finding would not exist; NULL if it has none */
    struct finding *follows_from;
    bool hidden;                          /* over the limit of its row: not in the list */
};

struct findings {
    VEC(struct finding *) list; /* worst first; consequences come directly after their cause */
};
