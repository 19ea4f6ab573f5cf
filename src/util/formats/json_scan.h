/*
 * json_scan: finds where JSON values end, in texts that are too large or too many to be parsed. It only looks at
 * strings and brackets; faulty JSON shows when a piece is parsed. Any thread.
 */
#pragma once

#include "util/str.h"

/* The state of a scan that continues in the next block of a text. Zero at the beginning of a value. */
struct json_scan {
    uint64_t depth; /* open brackets */
    bool string;    /* inside a string ... */
    bool escaped;   /* ... and after a backslash that is not itself escaped */
};

/*
 * The number of bytes up to the end of the value, which is the comma after it or the closing bracket around it; text.n
 * if the value continues.
 */
size_t json_scan(struct json_scan *at, struct str text);

/*
 * Takes the next member off the text of an object, or the next item off the text of an array; the text begins with the
 * opening bracket or the comma. Keys have no quotes and are not unescaped. False at the end, where *text is what
 * follows the closing bracket, and if the text is cut off or is neither; then *text begins with what could not be
 * read.
 */
bool json_next_member(struct str *text, struct str *key, struct str *value);
/* The same without the value, at which the text then begins: take it with json_take_value, or walk through it. */
bool json_next_key(struct str *text, struct str *key);
/* False, with the text unchanged, if the value is cut off. */
bool json_take_value(struct str *text, struct str *value);
bool json_next_item(struct str *text, struct str *item);
/* The text of the first member of that name in an object; empty if there is none. The key must not need escapes. */
struct str json_member_text(struct str object, struct str name);
