/*
 * junit: results in JUnit's XML format, for GitLab, Jenkins and GitHub actions that report tests: one suite of test
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
    struct str name;    /* CI systems compare runs by it, so it must not contain anything that changes between runs */
    struct str message; /* for a failure; empty: the case passes */
    struct str type;    /* for a failure */
    struct str text;    /* details of a failure, or else the output of the test case; may be empty */
};

void junit_begin(struct junit *j, struct arena *a, struct str suite);
void junit_add(struct junit *j, const struct junit_case *c);
/* Returns the document with a newline at its end, in the arena. */
struct str junit_end(struct junit *j);
