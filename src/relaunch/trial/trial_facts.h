/*
 * trial_facts: facts from the trace of a trial, as numbers and as sentences, each of which names one thing in the
 * code, so that two trials can be compared. One thread.
 */
#pragma once

#include "analysis/find/finding.h"
#include "model/experiment.h"

/* The parts of a finding that are needed after its trace is closed. */
struct trial_finding {
    const struct finding_info *info;
    struct str id, title, file;
    int64_t line;
    enum finding_severity severity;
    struct str advice; /* in words; may be empty */
    struct fix_paste paste;
    bool follows; /* it follows from another finding */
};

/* The facts of one trace: graph breaks, recompiles and errors, each once. */
struct trial_facts {
    VEC(struct trial_change) list; /* with `gone` not set; sorted */
    VEC(struct trial_finding) findings;
    VEC(uint64_t) pids;            /* processes that compiled something */
};

struct path_list {
    VEC(const char *) list;
};

/*
 * Reads the files at `paths` and fills the trial's numbers. If nothing can be read, there is no trace. Paths without
 * anything for a report (output that does not mention compiling) are removed.
 */
void trial_facts_read(struct arena *a, struct path_list *paths, unsigned threads, struct trial *trial,
                      struct trial_facts *facts);

/* What the trial has and `base` does not, and the other way around. */
void trial_facts_compare(struct arena *a, const struct trial_facts *base, const struct trial_facts *now,
                         struct trial *trial);
