/*
 * mustache_parse: the text of one template as a flat list of nodes, for output/mustache only; others include that.
 *
 * The nodes stand in the order of the text; one that holds others (a section, parent or block) says where they end.
 * What the mustache specification says about lines that hold nothing but a tag is settled here, so that rendering
 * only has to know where a line of the template begins. Nodes refer to the template's text, which must outlive them.
 */
#pragma once

#include "util/map.h"
#include "util/vec.h"

enum {
    MUSTACHE_NESTING_MAX = 32, /* sections, parents and blocks within each other in one template */
};

enum mustache_kind {
    MUSTACHE_TEXT,
    MUSTACHE_VALUE,    /* {{x}} */
    MUSTACHE_RAW,      /* {{{x}}}, {{&x}} */
    MUSTACHE_SECTION,  /* {{#x}} */
    MUSTACHE_INVERTED, /* {{^x}} */
    MUSTACHE_PARTIAL,  /* {{>x}}, {{>*x}} */
    MUSTACHE_PARENT,   /* {{<x}}, {{<*x}}; holds blocks only, the arguments */
    MUSTACHE_BLOCK,    /* {{$x}}: an argument when it stands directly in a parent, else a place with a default */
};

/* Where a value is found: a.b.c is three parts, "." is none. */
struct mustache_key {
    const char **parts;
    size_t n;
};

struct mustache_node {
    enum mustache_kind kind;
    uint32_t end;    /* the first node behind this one and what it holds */
    bool line_start; /* TEXT: a line of the template begins with it. It may be empty, before a tag */
    bool own_line;   /* PARTIAL, PARENT, BLOCK: nothing else stands on the lines of its tags */
    bool dynamic;    /* PARTIAL, PARENT: key leads to the name */
    struct str text; /* TEXT: itself. PARTIAL, PARENT, BLOCK: the indentation of what is put in its place */
    struct str name; /* as written, interned: equal names have equal pointers */
    struct mustache_key key;
    const char *at; /* the tag in the template's text */
    const struct mustache_template *partial; /* PARTIAL, PARENT: set by output/mustache; NULL when dynamic */
};

struct mustache_template {
    struct str name, text;
    VEC(struct mustache_node) nodes;
};

/*
 * Fills t->nodes from t->text. Names go to the intern table `names`, everything else to the arena. False, with an
 * error text in the arena ("NAME:LINE: what is wrong"), when the text is not a proper template.
 */
bool mustache_parse(struct mustache_template *t, struct arena *a, struct map *names, struct str *error);

/* An error text about the place `at` in the template. */
struct str mustache_error(struct arena *a, const struct mustache_template *t, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
