/*
 * junit: results as JUnit's XML, as GitLab, Jenkins and GitHub's actions for test reports read it: one suite of test
 * cases, which pass or fail. One thread.
 */
#pragma once

#include "util/formats/json.h"

struct junit {
    struct arena *arena;
    struct str suite;
    json_t *cases;
    int64_t tests, failures;
};

struct junit_case {
    struct str classname;
    struct str name;    /* CIs compare runs by it: without what changes from run to run */
    struct str message; /* of a failure; empty: the case passes */
    struct str type;    /* of a failure */
    struct str text;    /* of a failure, else what the case printed; may be empty */
};

void junit_begin(struct junit *j, struct arena *a, struct str suite);
void junit_add(struct junit *j, const struct junit_case *c);
/* The document as a text with a newline at its end, in the arena. */
struct str junit_end(struct junit *j);
