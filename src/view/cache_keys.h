/*
 * cache_keys: what differs between the key of a lookup that missed and that of the earlier one it is paired with
 * (analysis/cache_pairs). Reads payloads. Results live in the view's scratch arena.
 */
#pragma once

#include "text/cache_key.h"
#include "view/view.h"

struct key_change {
    struct str name;
    struct str before, now; /* values, as they stand in JSON; empty on the side that lacks the component */
};

struct key_changes {
    const struct cache_event *against; /* NULL: nothing to compare with, or the trace does not tell the components */
    VEC(struct key_change) list;       /* empty: the keys are made of the same */
};

void cache_key_changes(const struct view *v, const struct cache_event *e, struct key_changes *out);
