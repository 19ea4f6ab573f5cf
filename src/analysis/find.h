/*
 * find: what the detectors of findings share. Private to src/analysis/find*.c.
 */
#pragma once

#include "analysis/findings.h"

struct finder {
    struct arena *arena;
    const struct run *run;
    const struct answers *answers;
    struct findings *out;
    struct tally *tallies; /* by row of the table */
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

/* "[0/1]" with the rank where the run has several: "[0/1] on rank 2". */
struct str finding_compile_name(struct finder *f, const struct compile *c);

/* find_breaks.c, find_recompiles.c, find_errors.c, find_other.c */
void find_graph_breaks(struct finder *f);
void find_recompile_limit(struct finder *f);
void find_recompiles(struct finder *f);
void find_errors(struct finder *f);
void find_incomplete(struct finder *f);
void find_suppressed_errors(struct finder *f);
void find_cache_bypass(struct finder *f);
void find_specialization(struct finder *f);
void find_export_issues(struct finder *f);
void find_slow_phase(struct finder *f);
void find_resets(struct finder *f);
void find_unattributed(struct finder *f);
void find_damage(struct finder *f);
void find_nothing(struct finder *f);
