/*
 * placeholder: the texts that replace what was taken out. Equal originals have the same placeholder, different ones
 * have different ones, numbered in the order in which they are first met. The originals are kept for redaction itself
 * and for --redact-map. One thread.
 */
#pragma once

#include "model/redaction.h"
#include "util/map.h"

struct placeholder {
    struct str text;
    bool is_name; /* it was found where only a name of the user's can be */
};

struct placeholders {
    struct arena *arena;
    struct map sorts[REDACTION_SORTS]; /* original -> struct placeholder */
};

void placeholders_init(struct placeholders *p, struct arena *a);

/*
 * The placeholder of an original. Because payloads of any size may consist of nothing but words, the number of
 * placeholders of a sort is limited: beyond that, originals share one.
 */
struct placeholder *placeholder_of(struct placeholders *p, enum redaction_sort sort, struct str original);
/* NULL if the original has not been met yet. */
struct placeholder *placeholder_find(const struct placeholders *p, enum redaction_sort sort, struct str original);
