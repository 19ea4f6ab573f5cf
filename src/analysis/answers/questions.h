/*
 * questions: what a run can be made for (`pt2trace run --why`), and which findings answer it. A report of such a run
 * leads with them. Static data.
 */
#pragma once

#include "util/str.h"

#include <stddef.h>

struct question {
    const char *name;    /* "breaks" */
    const char *asks;    /* "why does the graph break?" */
    const char *section; /* of the page: "breaks" */
    const char *nothing; /* said when no finding answers it */
    const char *const *answers; /* beginnings of ids of findings, up to NULL */
};

/* NULL when there is none of that name. */
const struct question *question_find(struct str name);

bool question_is_answered_by(const struct question *q, const char *finding_id);
