/*
 * cache_key: reads the components of the key of an FX graph or AOTAutograd cache entry from the payload of a cache
 * record:
 *
 *   {"key": …, "components": ["[HASH] gm: GraphModule()…", "[HASH] inductor_config[debug]: False", …], …}
 *
 * Source: FxGraphHashDetails and debug_lines in torch/_inductor/codecache.py. Each component has its own hash, so two
 * keys can be compared without comparing values. Views point into the text. Any thread.
 */
#pragma once

#include "util/vec.h"

#include "util/str.h"

struct key_component {
    struct str name;  /* "gm", "example_inputs[0]", "inductor_config[debug]" */
    struct str hash;
    struct str value; /* with its JSON escapes; cut at KEY_VALUE_MAX bytes */
};

enum { KEY_VALUE_MAX = 400 };

struct cache_key {
    VEC(struct key_component) components;
};

/* At most LIMIT_LIST components; none if the text has no list. Linear in the text. */
void cache_key_parse(struct arena *a, struct str text, struct cache_key *out);

/* What a component is, in a few plain words; NULL if its name is clear enough. Static. */
const char *cache_key_words(struct str name);
