/*
 * yaml: parses YAML files that people write into a tree whose nodes know their lines. No anchors, no tags, one
 * document. A thin layer over libyaml; in a build without it, every text is an error that says so. Any thread.
 */
#pragma once

#include "util/str.h"
#include "util/vec.h"

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP };

struct yaml_node {
    enum yaml_kind kind;
    struct str text;                /* of YAML_TEXT, also if it looks like a number */
    VEC(struct yaml_node *) keys;   /* of YAML_MAP: texts, parallel to `values` */
    VEC(struct yaml_node *) values; /* of YAML_LIST and YAML_MAP */
    uint64_t line;                  /* from 1 */
};

struct yaml_error {
    uint64_t line; /* 0 if the error has no line */
    struct str text;
};

/* The document, or NULL with *error set; an empty document is an empty map. Lives in the arena. */
struct yaml_node *yaml_parse(struct arena *a, struct str text, struct yaml_error *error);

/* Library and version, for --version. */
const char *yaml_library(void);
