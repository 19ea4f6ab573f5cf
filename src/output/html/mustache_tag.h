/*
 * mustache_tag: finds the tags in the text of a template. It knows delimiters and what a tag looks like, not what it
 * means. For output/mustache_parse only. Views lie in the text.
 */
#pragma once

#include "util/str.h"

/* What is in force changes within a text: {{=<% %>=}}. */
struct mustache_delimiters {
    struct str left, right;
};

struct mustache_tag {
    const char *begin, *end; /* with the delimiters */
    char sigil;              /* one of # ^ / > < $ ! = & {, or 0 for an escaped value */
    struct str content;      /* what is between sigil and delimiter, trimmed */
};

/* Whether c behind a delimiter says what a tag is. */
bool mustache_is_sigil(char c);

enum mustache_found { MUSTACHE_NO_TAG, MUSTACHE_TAG, MUSTACHE_TAG_UNCLOSED };

/* The next tag in the text. Of an unclosed one only tag->begin is known. */
enum mustache_found mustache_tag_find(struct str text, const struct mustache_delimiters *d, struct mustache_tag *tag);

/* Reads the content of a {{= =}} tag; false and *d as it was when that is not two delimiters. */
bool mustache_tag_delimiters(struct str content, struct mustache_delimiters *d);
