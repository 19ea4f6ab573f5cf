/*
 * evidence: links findings with the entries of the page that they are based on. An entry is a graph break, a chain of
 * recompiles, or an error; chains of ranks that did the same share one entry. Built once for a page, in an arena; one
 * thread.
 */
#pragma once

#include "analysis/answers/answers.h"
#include "analysis/find/finding.h"

enum { EVIDENCE_LINKS_MAX = 12 }; /* maximum entries of a finding, and findings of an entry */

enum evidence_kind { EVIDENCE_BREAK, EVIDENCE_CHAIN, EVIDENCE_ERROR };

struct evidence_entry {
    enum evidence_kind kind;
    size_t number; /* index in the list of its kind, which has the order of the section */
    union {
        const struct break_place *place;
        const struct recompile_chain *chain; /* the chain that represents all equal ones */
        const struct error *error;
    };
    VEC(const struct finding *) findings; /* the findings about it */
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

/* Whether another chain's entry represents this one. */
bool evidence_is_same_chain(const struct evidence *e, const struct recompile_chain *chain);
