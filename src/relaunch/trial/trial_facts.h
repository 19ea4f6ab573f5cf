/*
 * trial_facts: facts of the trace of a trial, as numbers, and as sentences of which each names one thing in the code,
 * so that two trials can be compared. One thread.
 */
#pragma once

#include "analysis/find/finding.h"
#include "model/experiment.h"

/* What of a finding outlives the trace that it was found in. */
struct trial_finding {
    const struct finding_info *info;
    struct str id, title, file;
    int64_t line;
    enum finding_severity severity;
    struct str advice; /* in words; may be empty */
    struct fix_paste paste;
    bool follows; /* from another */
};

/* Of one trace: graph breaks, recompiles and errors, each once. */
struct trial_facts {
    VEC(struct trial_change) list; /* as if all were in `gone`'s place; sorted */
    VEC(struct trial_finding) findings;
    VEC(uint64_t) pids;            /* processes that compiled something */
};

struct path_list {
    VEC(const char *) list;
};

/*
 * Reads what lies at `paths` and fills the trial's numbers. Nothing to be read is no trace. Paths in which there is
 * nothing for a report (the output of a program that says nothing of compiling) are taken out.
 */
void trial_facts_read(struct arena *a, struct path_list *paths, unsigned threads, struct trial *trial,
                      struct trial_facts *facts);

/* What the trial has and `base` has not, and the other way round. */
void trial_facts_compare(struct arena *a, const struct trial_facts *base, const struct trial_facts *now,
                         struct trial *trial);
