/*
 * cache_key: what the key of an FX graph or AOTAutograd cache entry is made of, from the payload of a cache record:
 *
 *   {"key": …, "components": ["[HASH] gm: GraphModule()…", "[HASH] inductor_config[debug]: False", …], …}
 *
 * Source: FxGraphHashDetails and debug_lines in torch/_inductor/codecache.py. Each component has a hash of its own, so
 * two keys are compared without looking at the values. Views point into the text. Any thread.
 */
#pragma once

#include "util/vec.h"

#include "util/str.h"

struct key_component {
    struct str name;  /* "gm", "example_inputs[0]", "inductor_config[debug]" */
    struct str hash;
    struct str value; /* as it stands in JSON; cut at KEY_VALUE_MAX bytes */
};

enum { KEY_VALUE_MAX = 400 };

struct cache_key {
    VEC(struct key_component) components;
};

/* At most LIMIT_LIST of them; none when the text lists none. Linear in the text. */
void cache_key_parse(struct arena *a, struct str text, struct cache_key *out);

/* What a component is, in a few plain words; NULL when its name says it. Static. */
const char *cache_key_words(struct str name);
