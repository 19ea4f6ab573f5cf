/*
 * find: what the detectors of findings share. Private to src/analysis/find*.c.
 */
#pragma once

#include "analysis/findings.h"
#include "util/map.h"

struct finder {
    struct arena *arena;
    const struct run *run;
    const struct answers *answers;
    struct findings *out;
    struct tally *tallies; /* by row of the table */
    uint64_t budget;       /* bytes of payloads that may still be read */
    struct buf text;       /* of the payload read last */
    bool cut;              /* ... which is longer */
    struct map costs;      /* (finding, rank) -> struct finding_cost */
    struct map setups;     /* process -> struct setups, see find_cost.c */
};

/*
 * A new finding of a row, with defaults: no rank, no cost, the row's documentation. Beyond a limit it is counted and
 * not shown.
 */
struct finding *finding_add(struct finder *f, const char *id, enum finding_severity severity);

/* Sets file, line and source from a call; nothing for NULL. */
void finding_place(struct finding *x, const struct call *c);

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

/* "[0/1]" with the rank where the run has several: "[0/1] on rank 2". */
struct str finding_compile_name(struct finder *f, const struct compile *c);

/* How bad it is to lose so much time: half a minute is high, some seconds medium. */
enum finding_severity finding_severity_of_time(int64_t us);

/*
 * The text of a payload, or its beginning: PAYLOAD_READ_MAX of one, PAYLOADS_READ_MAX of all that are read. Findings
 * are for a quick look, and a trace may be large. Empty when it cannot be read; valid until the next call.
 */
enum { PAYLOAD_READ_MAX = 256 * 1024, PAYLOADS_READ_MAX = 16 * 1024 * 1024 };
struct str finder_read(struct finder *f, const struct artifact *a);

/*
 * Both sides of a condition on a value that is read from a tensor, as Python code for torch._check: which of them is
 * true the compiler cannot know, nor can we. Both are empty where they cannot be told: for anything but one comparison.
 */
struct condition {
    struct str holds, fails;
    bool symbolic; /* of the compiler's expression, where u0, u1, ... stand for the values; else of the line of code */
};
void finding_condition(struct arena *a, struct str expression, struct str source, struct condition *out);

/* find_breaks.c, find_recompiles.c, find_errors.c */
void find_graph_breaks(struct finder *f);
void find_recompile_limit(struct finder *f);
void find_recompiles(struct finder *f);
void find_errors(struct finder *f);

/* find_ranks.c, find_flight.c */
void find_ranks(struct finder *f);
void find_flights(struct finder *f);

/* find_graphs.c, find_guards.c */
void find_hotspots(struct finder *f);
void find_tiny_graphs(struct finder *f);
void find_empty_graphs(struct finder *f);
void find_skipped_frames(struct finder *f);
void find_same_graphs(struct finder *f);
void find_repeated_blocks(struct finder *f);
void find_guards(struct finder *f);

/* find_time.c, find_caches.c */
void find_slow(struct finder *f);
void find_late_backward(struct finder *f);
void find_cache_state(struct finder *f);
void find_cache_bypass(struct finder *f);

/* find_gpu.c */
void find_gpu(struct finder *f);

/* find_settings.c, find_code.c, find_shapes.c */
void find_suppressed_errors(struct finder *f);
void find_settings(struct finder *f);
void find_low_precision(struct finder *f);
void find_code(struct finder *f);
void find_cudagraph_skips(struct finder *f);
void find_specialization(struct finder *f);
void find_export_issues(struct finder *f);

/* find_run.c */
void find_run(struct finder *f);

/* find_other.c */
void find_incomplete(struct finder *f);
void find_unattributed(struct finder *f);
void find_damage(struct finder *f);
void find_resets(struct finder *f);
void find_clean(struct finder *f);
