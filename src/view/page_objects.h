/*
 * page_objects: the objects of the page, as JSON. The rows in view/sections define the members, and page_rows.h makes
 * the functions. templates/NAME.mustache is filled with page_NAME, unless other templates include it.
 */
#pragma once

#include "view/view.h"

struct page_flag {
    bool on;
};

struct page_count {
    size_t n;
};

/* Calls: the first of them, or n that are folded. */
struct stack_row {
    const struct call *const *calls;
    size_t n;
};

struct page_head {
    const struct about *about;
    struct str csp, css;
    unsigned reload_s;         /* 0: never */
    const char *custom_header; /* may be NULL */
};

struct cache_rows {
    uint64_t n, same, hidden; /* all, those that ranks repeat, and those that are not shown */
};

/* The worst finding is open; the consequences of a finding are inside it. */
enum page_finding_role { PAGE_VERDICT, PAGE_CAUSE, PAGE_CONSEQUENCE };

struct page_finding {
    const struct finding *finding;
    enum page_finding_role role;
};

/* The causes of a kind. */
struct page_finding_group {
    size_t kind;
    const struct finding *const *list;
    size_t n;
};

struct same_things {
    uint64_t n;
    const char *one, *many;
};

#include "view/rows_none.def"
#define OBJECT(name, type)                                                                                             \
    type;                                                                                                              \
    json_t *page_##name(const struct view *v, const type *x);                                                          \
    json_t *page_put_##name(const struct view *v, json_t *o, const type *x);

#include "view/sections/all.def"

#include "view/rows_end.def"
