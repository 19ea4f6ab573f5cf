/*
 * evidence: which entries of the page a finding rests on, and which findings speak of an entry. An entry is a graph
 * break, a chain of recompiles or an error; chains of ranks that did the same have one entry. Made once for a page, in
 * an arena; one thread.
 */
#pragma once

#include "analysis/answers/answers.h"
#include "analysis/find/finding.h"

enum { EVIDENCE_MAX = 12 }; /* entries of one finding, and findings of one entry */

enum evidence_kind { EVIDENCE_BREAK, EVIDENCE_CHAIN, EVIDENCE_ERROR };

struct evidence_entry {
    enum evidence_kind kind;
    size_t number; /* position in the list of its kind, which is the order of the section */
    union {
        const struct break_place *place;
        const struct recompile_chain *chain; /* the one that stands for all that are the same */
        const struct error *error;
    };
    VEC(const struct finding *) findings; /* that speak of it */
};

struct evidence_list {
    VEC(const struct evidence_entry *) entries;
};

struct evidence;

struct evidence *evidence_make(struct arena *a, const struct answers *answers);

/* Never NULL; empty for a finding without entries. */
const struct evidence_list *evidence_of(const struct evidence *e, const struct finding *x);

/* `thing` is a break_place, a recompile_chain or an error of the answers. */
const struct evidence_entry *evidence_entry(const struct evidence *e, const void *thing);

/* Whether the entry of another chain stands for this one. */
bool evidence_is_same_chain(const struct evidence *e, const struct recompile_chain *chain);
