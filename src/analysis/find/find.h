/*
 * find: what the detectors of findings share: making a finding, its place, its text to paste, its costs. One thread.
 */
#pragma once

#include "analysis/answers/answers.h"
#include "analysis/find/finding.h"
#include "util/map.h"

struct recompile_cause;

/* A finding about recompiles, and its cause. */
struct recompiled {
    struct finding *finding;
    const struct recompile_cause *cause;
};

/* What was found of one row of the table. */
struct tally {
    size_t found, named;
    enum finding_severity worst_hidden;
};

struct finder {
    struct arena *arena;
    const struct run *run;
    const struct answers *answers;
    struct findings *out;
    struct tally *tallies;               /* by row of the table */
    uint64_t budget;                     /* bytes of payloads that may still be read */
    uint64_t guard_budget;               /* ... of guard trees that are compared */
    struct buf text;                     /* of the payload read last */
    bool cut;                            /* ... which is longer */
    struct map costs;                    /* (finding, rank) -> struct finding_cost */
    struct map setups;                   /* process -> struct setups, see find_cost.c */
    struct guard_facts_all *guard_facts; /* see guard_facts.h; NULL when there are none */
    VEC(struct recompiled) recompiled;   /* what find_recompiles and find_recompile_limit found */
    VEC(struct finding *) waited;        /* collectives that failed or timed out */
    struct break_reach *reach;           /* see break_harm.c; NULL until it is asked for */
    struct map inference;                /* process -> 1: compiled for inference, 2: not so, or unknown */
    struct map nths;                     /* graph break -> which of its compile it is, from 1; see break_harm.c */
    struct map broken;                   /* graph break, or frame of a resume function -> the finding of the break */
};

/*
 * A new finding of a row, with defaults: no rank, no cost, the row's documentation. Beyond a limit it is counted and
 * not shown.
 */
struct finding *finding_add(struct finder *f, const char *id, enum finding_severity severity);

/* When all is found: one more finding for each row that is over its limit. */
void finding_add_all_hidden(struct finder *f);

/* Sets file, line and source from a call; nothing for NULL. */
void finding_place(struct finding *x, const struct call *c);

/* A rank that it concerns, once; RANK_UNKNOWN is none. */
void finding_add_rank(struct finder *f, struct finding *x, int rank);

/* Adds a compile to the evidence, and its rank; the same one only once in a row, at most EVIDENCE_MAX. */
enum { EVIDENCE_MAX = 50 };
void finding_evidence(struct finder *f, struct finding *x, const struct compile *c);

/*
 * What a finding cost: stretches of wall time, compiles and graph breaks, each on the rank of a process. Time in which
 * a compiler is set up once for all (probing the C++ compiler, hashing PyTorch's sources) is left out: any first
 * compile pays for it. find_cost.c makes the numbers of struct finding from these when all findings are there.
 */
void finding_cost_time(struct finder *f, struct finding *x, const struct process *p, int64_t start_us,
                       int64_t duration_us);
/* The time of a compile, its backward graph included, and the compile itself. */
void finding_cost_compile(struct finder *f, struct finding *x, const struct compile *c);
void finding_cost_compiles(struct finder *f, struct finding *x, const struct process *p, uint64_t n);
void finding_cost_breaks(struct finder *f, struct finding *x, const struct process *p, uint64_t n);
/* Wall time in µs on the rank that it cost most, before other findings have claimed a part: 0 when nothing is known. */
int64_t finding_time(const struct finding *x);
/* Compiles on the rank that has most of them. */
uint64_t finding_compiles(const struct finding *x);

/* Fills cost_us, cost_compiles, cost_breaks and cost_ranks of all that have costs; the list is in order, worst first.
 */
void finding_settle_costs(struct finder *f);

/* Sets the text to paste, and the place that its kind has: the start of the program, the command, the shell. */
void finding_paste(struct finding *x, enum paste_kind kind, struct str text);
/* Another place: before a line of the user's code (NULL: no line is known), and in words. */
void finding_paste_at(struct finding *x, const struct call *before, struct str where);

/* Takes back a text to paste with names that the PyTorch of the trace does not have, and says so. */
void finding_check_version(struct finder *f, struct finding *x);

/* "[0/1]" with the rank where the run has several: "[0/1] on rank 2". */
struct str finding_compile_name(struct finder *f, const struct compile *c);

/* A list of functions for a title: "`f`, `g`", and of many "`a`, `b`, `c`, `d`, `e` and 3 more". Starts as zero. */
struct find_names {
    struct str text;
    size_t n;
};

void find_add_name(struct finder *f, struct find_names *names, struct str name);
struct str find_names_text(struct finder *f, const struct find_names *names);

/* How bad it is to lose so much time: half a minute is high, some seconds medium. */
enum finding_severity finding_severity_of_time(int64_t us);

/*
 * The text of a payload, or its beginning in whole lines: PAYLOAD_READ_MAX of one, PAYLOADS_READ_MAX of all that are
 * read, as a trace may be large. Empty when it cannot be read; valid until the next call.
 */
enum { PAYLOAD_READ_MAX = 256 << 10, PAYLOADS_READ_MAX = 16 << 20 };
struct str finder_read(struct finder *f, const struct artifact *a);

/*
 * The same of a tree of guards that is compared with others, within limits of its own: the one guard that failed may
 * stand behind those of all parameters of a model, some 50 kB a layer.
 */
enum { GUARDS_READ_MAX = 8 << 20, ALL_GUARDS_READ_MAX = 16 << 20 };
struct str finder_read_guards(struct finder *f, const struct artifact *a);

/* A condition on values that the compiler cannot know: they are read from tensors. */
struct unknown_condition {
    struct str expression;   /* as PyTorch prints it: "Eq(u0, 3)" */
    struct str names;        /* what symbols stand for: "u0 = length"; may be empty */
    struct str source;       /* the line of code that asks for it; may be empty */
    const struct call *line; /* where that is; NULL: unknown */
};

/*
 * Both sides of it, as Python code for torch._check: which of them is true the compiler cannot know, nor can we. Both
 * are empty where they are not known: for anything but one comparison or one flag.
 */
struct condition {
    struct str holds, fails;
    bool symbolic; /* u0, u1, ... stand for values in it */
    bool in_line;  /* it is what the line of code says */
};
void finding_condition(struct arena *a, const struct unknown_condition *c, struct condition *out);
/* Text to paste: torch._check of the side that was true in the run that was traced. Nothing where no check helps. */
void finding_paste_check(struct finder *f, struct finding *x, const struct unknown_condition *c, bool held);

/*
 * Text to paste: a fake kernel of the operator "shop.price.default", with what a call passes ("x, 3") as its parameters
 * (empty: no call is known).
 */
void finding_paste_fake_kernel(struct finder *f, struct finding *x, struct str op, struct str arguments);

/*
 * The finding of a graph break, and of the break that a resume function is behind: its cause. NULL when there is none.
 * Known from find_graph_breaks on.
 */
struct finding *finding_of_break(const struct finder *f, const struct graph_break *b);
struct finding *finding_of_resume(const struct finder *f, const struct frame *resume);
