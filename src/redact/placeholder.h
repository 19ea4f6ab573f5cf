/*
 * placeholder: what stands in the place of what was taken out. Equal originals have one placeholder, different ones
 * have different ones, numbered in the order in which they are first met. The originals are kept for redaction's own
 * use and for --redact-map. One thread.
 */
#pragma once

#include "model/redaction.h"
#include "util/map.h"

struct placeholder {
    struct str text;
    bool is_name; /* it stood where only a name of the user's can stand */
};

struct placeholders {
    struct arena *arena;
    struct map sorts[REDACTION_SORTS]; /* original -> struct placeholder */
};

void placeholders_init(struct placeholders *p, struct arena *a);

/*
 * The placeholder of an original. There is a limit on how many of a sort have one of their own, as payloads of any size
 * may be made of nothing but words: those beyond it share one.
 */
struct placeholder *placeholder_of(struct placeholders *p, enum redaction_sort sort, struct str original);
/* NULL when the original was not met yet. */
struct placeholder *placeholder_find(const struct placeholders *p, enum redaction_sort sort, struct str original);
