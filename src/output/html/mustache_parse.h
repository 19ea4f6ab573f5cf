/*
 * mustache_parse: the text of one template as a flat list of nodes. Only output/html/mustache includes it.
 *
 * The nodes are in the order of the text. A section's node says where its contents end. Nodes refer to the template's
 * text, which must outlive them.
 */
#pragma once

#include "util/map.h"
#include "util/vec.h"

enum {
    MUSTACHE_NESTING_MAX = 32, /* sections inside each other in one template */
};

enum mustache_kind {
    MUSTACHE_TEXT,
    MUSTACHE_VALUE,    /* {{x}} */
    MUSTACHE_RAW,      /* {{{x}}} */
    MUSTACHE_SECTION,  /* {{#x}} */
    MUSTACHE_INVERTED, /* {{^x}} */
    MUSTACHE_PARTIAL,  /* {{>x}} */
};

struct mustache_node {
    enum mustache_kind kind;
    uint32_t end;                            /* index of the first node after this one and its contents */
    struct str text;                         /* MUSTACHE_TEXT: the text; else the name, NUL-terminated */
    const char *at;                          /* the tag in the template's text */
    const struct mustache_template *partial; /* MUSTACHE_PARTIAL: set by output/html/mustache */
};

struct mustache_template {
    struct str name, text;
    VEC(struct mustache_node) nodes;
};

/*
 * Fills t->nodes from t->text; everything is allocated in the arena. False, with an error text in the arena
 * ("NAME:LINE: what is wrong"), if the template is malformed.
 */
bool mustache_parse(struct mustache_template *t, struct arena *a, struct str *error);

/* An error text about the place `at` in the template. */
struct str mustache_error(struct arena *a, const struct mustache_template *t, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
