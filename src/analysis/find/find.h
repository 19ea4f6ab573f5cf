/*
 * find: functions that the detectors of findings share: making a finding, its place, its text to paste, its costs. One
 * thread.
 */
#pragma once

#include "analysis/answers/answers.h"
#include "analysis/find/finding.h"
#include "model/read/artifact_text.h"
#include "util/map.h"

/* Of a finding whose text to paste makes every size dynamic; it goes with that text. */
#define FINDING_SETTING_BELOW "The setting below is for the whole program: it makes all sizes and numbers dynamic."

struct recompile_cause;

/* A finding about recompiles, and its cause. */
struct recompiled {
    struct finding *finding;
    const struct recompile_cause *cause;
};

/* The number of findings of one row of the table. */
struct tally {
    size_t found, named;
    enum finding_severity worst_hidden;
};

/* A finding, and the failure that it is about. */
struct of_failure {
    struct finding *finding;
    const struct failure *failure;
};

struct finder {
    struct arena *arena;
    const struct run *run;
    const struct answers *answers;
    struct findings *out;
    struct tally *tallies;               /* by row of the table */
    struct artifact_reader payloads, guard_trees;
    bool cut;                            /* the last payload is longer than the text that was read */
    struct map costs;                    /* (finding, rank) -> struct finding_cost */
    struct map setups;                   /* process -> struct setups, see find_cost.c */
    struct guard_facts_all *guard_facts; /* see guard_facts.h; NULL if there are none */
    VEC(struct recompiled) recompiled;   /* the findings of find_recompiles and find_recompile_limit */
    VEC(struct of_failure) waited;       /* collectives that failed or timed out */
    VEC(struct of_failure) reported;     /* processes of which only their launcher says that they ended */
    struct break_reach *reach;           /* see break_cost.c; NULL until it is needed */
    struct map inference;                /* process -> 1: compiled for inference, 2: not, or unknown */
    struct map nths;                     /* graph break -> its index in its compile, from 1; see break_cost.c */
    struct map broken;                   /* graph break, or frame of a resume function -> the finding of the break */
};

/*
 * A new finding of a row, with defaults: no rank, no cost, the row's documentation. Beyond a limit it is only counted,
 * not shown.
 */
struct finding *finding_add(struct finder *f, const char *id, enum finding_severity severity);

/* Call it when everything is found: adds one more finding for each row that is over its limit. */
void finding_add_all_hidden(struct finder *f);

/* Sets file, line and source from a call; does nothing for NULL. */
void finding_place(struct finding *x, const struct call *c);

/* Adds a rank that it concerns, once; RANK_UNKNOWN adds none. */
void finding_add_rank(struct finder *f, struct finding *x, int rank);

/*
 * Adds a compile to the evidence, and its rank. Adding the same one twice in a row has no effect; at most
 * EVIDENCE_MAX.
 */
enum { EVIDENCE_MAX = 50 };
void finding_evidence(struct finder *f, struct finding *x, const struct compile *c);

/*
 * The cost of a finding: stretches of wall time, compiles and graph breaks, each on the rank of a process. One-off
 * set-up time of the compiler (probing the C++ compiler, hashing PyTorch's sources) is left out: any first compile
 * pays for it. find_cost.c computes the numbers of struct finding from these when all findings are there.
 */
void finding_cost_time(struct finder *f, struct finding *x, const struct process *p, int64_t start_us,
                       int64_t duration_us);
/* The time of a compile, its backward graph included, and the compile itself. */
void finding_cost_compile(struct finder *f, struct finding *x, const struct compile *c);
void finding_cost_compiles(struct finder *f, struct finding *x, const struct process *p, uint64_t n);
void finding_cost_breaks(struct finder *f, struct finding *x, const struct process *p, uint64_t n);
/* Wall time in µs on the rank with the highest cost, before other findings have claimed a part: 0 if unknown. */
int64_t finding_time(const struct finding *x);
/* Compiles on the rank with the most. */
uint64_t finding_compiles(const struct finding *x);

/*
 * Fills cost_us, cost_compiles, cost_breaks and cost_ranks of all findings with costs; the list is in order, worst
 * first.
 */
void finding_settle_costs(struct finder *f);

/* Sets the text to paste and the default place for its kind: the start of the program, the command, the shell. */
void finding_paste(struct finding *x, enum paste_kind kind, struct str text);
/* Sets another place: before a line of the user's code (NULL: the line is unknown), and in words. */
void finding_paste_at(struct finding *x, const struct call *before, struct str where);

/* Withdraws a text to paste with names that the trace's PyTorch lacks, and says so. */
void finding_check_version(struct finder *f, struct finding *x);

/* "[0/1]" with the rank if the run has several: "[0/1] on rank 2". */
struct str finding_compile_name(struct finder *f, const struct compile *c);

/* A list of functions for a title: "`f`, `g`", and for many "`a`, `b`, `c`, `d`, `e` and 3 more". Starts as zero. */
struct find_names {
    struct str text;
    size_t n;
};

void find_add_name(struct finder *f, struct find_names *names, struct str name);
struct str find_names_text(struct finder *f, const struct find_names *names);

/* The severity of losing this much time: half a minute is high, some seconds are medium. */
enum finding_severity finding_severity_of_time(int64_t us);

/*
 * The text of a payload, or its beginning in whole lines, within READ_FINDINGS. Empty if it cannot be read; valid until
 * the next call.
 */
struct str finder_read(struct finder *f, const struct artifact *a);

/* The same for a guard tree that is compared with others, within READ_GUARDS. */
struct str finder_read_guards(struct finder *f, const struct artifact *a);

/* A condition on values that the compiler cannot know: they are read from tensors. */
struct unknown_condition {
    struct str expression;   /* as PyTorch prints it: "Eq(u0, 3)" */
    struct str names;        /* what the symbols stand for: "u0 = length"; may be empty */
    struct str source;       /* the line of code that needs it; may be empty */
    const struct call *line; /* location of that line; NULL: unknown */
};

/*
 * Both sides of it, as Python code for torch._check: neither the compiler nor we can know which one is true. Both are
 * empty if they are not known, which is the case for anything but one comparison or one flag.
 */
struct condition {
    struct str holds, fails;
    bool symbolic; /* it contains u0, u1, ... for values */
    bool in_line;  /* it is taken from the line of code */
};
void finding_condition(struct arena *a, const struct unknown_condition *c, struct condition *out);
/*
 * Sets the text to paste: torch._check of the side that was true in the traced run. Sets nothing if a check does not
 * help.
 */
void finding_paste_check(struct finder *f, struct finding *x, const struct unknown_condition *c, bool held);

/*
 * Sets the text to paste: a fake kernel of the operator "shop.price.default", with the arguments of a call ("x, 3") as
 * its parameters (empty: no call is known).
 */
void finding_paste_fake_kernel(struct finder *f, struct finding *x, struct str op, struct str arguments);

/*
 * The finding of a graph break, and the finding of the break that caused a resume function. NULL if there is none.
 * Valid once find_graph_breaks has run.
 */
struct finding *finding_of_break(const struct finder *f, const struct graph_break *b);
struct finding *finding_of_resume(const struct finder *f, const struct frame *resume);
