/*
 * compile_diff: what differs between two compiles of one function in what the compiler left behind of them: the graph
 * that Dynamo made, the code that Inductor made of it, the guards, and the keys of their lookups in caches. What
 * differs between any two processes (addresses, directories, numbers of symbols) is left out. Reads payloads. One
 * thread.
 */
#pragma once

#include "gate/graph_diff.h"
#include "model/model.h"
#include "util/digest.h"
#include "util/formats/json.h"

enum compile_text { COMPILE_GRAPH, COMPILE_CODE, COMPILE_GUARDS, COMPILE_TEXTS };

/*
 * {"removed", "added": how many lines, "before", "after": the first of them}; NULL when they are the same, or one of
 * the compiles has none.
 */
json_t *compile_diff_text(const struct compile *before, const struct compile *after, enum compile_text which);

/* One digest for graphs that do the same. False when the compile has no graph. */
bool compile_graph_digest(const struct compile *c, struct digest *out);

/* A component in which the keys of lookups differ. */
struct key_difference {
    enum cache_layer layer;
    struct str name, before, after;
};

typedef VEC(struct key_difference) key_differences;

/* Of lookups of the same cache for the same graph, of which the later one missed or had another outcome. */
void compile_diff_keys(struct arena *a, const struct compile *before, const struct compile *after,
                       key_differences *out);
