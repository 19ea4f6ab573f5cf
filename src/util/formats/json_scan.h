/*
 * json_scan: where values of JSON end, for texts that are too large, or too many, to be built. Only strings and
 * brackets are looked at; what is no JSON is noticed by whoever parses a piece. Any thread.
 */
#pragma once

#include "util/str.h"

/* Where a scan stands that goes on in the next block of a text. Starts as zero, at the beginning of a value. */
struct json_scan {
    uint64_t depth; /* open brackets */
    bool string;    /* within a string ... */
    bool escaped;   /* ... and behind a backslash that stands alone */
};

/* Bytes up to the end of the value: to the comma behind it, or to the bracket that it is in. text.n: it goes on. */
size_t json_scan(struct json_scan *at, struct str text);

/*
 * Takes the next member off the text of an object, or the next item off the text of an array, which both begin with
 * their bracket. Keys have no quotes and are not unescaped. False at the end, with what stands behind the bracket left,
 * and where the text is no such thing or is cut off: then *text begins with what is not understood.
 */
bool json_next_member(struct str *text, struct str *key, struct str *value);
/* The same without the value, which then begins the text: json_take_value takes it, or it is walked through itself. */
bool json_next_key(struct str *text, struct str *key);
bool json_take_value(struct str *text, struct str *value); /* false, and the text as it is, when it is cut off */
bool json_next_item(struct str *text, struct str *item);
/* The text of the first member of that name of an object; empty when there is none. The key has no escapes. */
struct str json_member_text(struct str object, struct str name);
