/*
 * questions: the questions that a run can answer (`pt2trace run --why`), and the findings that answer them. A report
 * of such a run begins with them. Static data.
 */
#pragma once

#include "util/str.h"

#include <stddef.h>

struct question {
    const char *name;    /* "breaks" */
    const char *asks;    /* "why does the graph break?" */
    const char *section; /* section of the page: "breaks" */
    const char *nothing; /* text if no finding answers it */
    const char *const *answers; /* prefixes of finding ids, up to NULL */
};

/* The i-th; NULL after the last. */
const struct question *question_at(size_t i);

/* NULL if there is no question with that name. */
const struct question *question_find(struct str name);

bool question_is_answered_by(const struct question *q, const char *finding_id);
