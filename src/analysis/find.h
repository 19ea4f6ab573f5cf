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
    uint64_t budget;       /* bytes of payloads that may still be read */
    struct buf text;       /* of the payload read last */
    bool cut;              /* ... which is longer */
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

/* How bad it is to lose so much time: half a minute is high, some seconds medium. */
enum finding_severity finding_severity_of_time(int64_t us);

/*
 * The text of a payload, or its beginning: PAYLOAD_READ_MAX of one, PAYLOADS_READ_MAX of all that are read. Findings
 * are for a quick look, and a trace may be large. Empty when it cannot be read; valid until the next call.
 */
enum { PAYLOAD_READ_MAX = 256 * 1024, PAYLOADS_READ_MAX = 16 * 1024 * 1024 };
struct str finder_read(struct finder *f, const struct artifact *a);

/*
 * The check that tells the compiler what holds of a value it cannot know: of the condition in the line of code, else of
 * the expression. Empty when there is neither.
 */
struct str finding_check(struct arena *a, struct str expression, struct str source);

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

/* find_other.c */
void find_incomplete(struct finder *f);
void find_unattributed(struct finder *f);
void find_damage(struct finder *f);
void find_resets(struct finder *f);
void find_clean(struct finder *f);
