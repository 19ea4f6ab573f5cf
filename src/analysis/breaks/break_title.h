/*
 * break_title: the causes of graph breaks with their places, and the title of a cause. Private to find_breaks.c.
 */
#pragma once

#include "analysis/breaks/break_cost.h"

/* One place where a cause breaks graphs. */
struct break_member {
    const struct break_place *place;
    struct break_fix fix;
    struct break_cost cost;
    enum finding_severity severity;
    size_t at; /* index in the section on graph breaks, which begins with the most frequent ones */
};

/* Breaks that one change removes. */
struct break_cause {
    VEC(struct break_member) members; /* worst first */
    struct finding *finding;
};

/* 2.4 and earlier record a break by its resume function, or in one restart reason. */
bool break_reason_is_unknown(const struct graph_break *b);

/* ... and the line of code does not show the reason either. */
bool break_is_unexplained(const struct break_member *m);

/* The program's function that contains the break. */
struct str break_function(const struct break_member *m);

/* The program's line. */
struct finding_spot break_spot(const struct break_member *m);

struct str break_title(struct finder *f, const struct break_cause *cause);
