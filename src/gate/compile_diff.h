/*
 * compile_diff: the differences between two compiles of one function: Dynamo's graph, Inductor's code, the guards, and
 * the keys of cache lookups. Differences between any two processes (addresses, directories, numbers of symbols) are
 * ignored. Reads payloads. One thread.
 */
#pragma once

#include "gate/graph_diff.h"
#include "model/model.h"
#include "util/digest.h"
#include "util/formats/json.h"

enum compile_text { COMPILE_GRAPH, COMPILE_CODE, COMPILE_GUARDS, COMPILE_TEXTS };

/*
 * {"removed", "added": number of lines, "before", "after": the first of them}; NULL if they are equal, or if one of
 * the compiles lacks the text.
 */
json_t *compile_diff_text(const struct compile *before, const struct compile *after, enum compile_text which);

/* Equal for graphs that do the same. False if the compile has no graph. */
bool compile_graph_digest(const struct compile *c, struct digest *out);

/* A component that differs between the keys of two lookups. */
struct key_difference {
    enum cache_layer layer;
    struct str name, before, after;
};

typedef VEC(struct key_difference) key_differences;

/* For lookups in the same cache for the same graph, if the later one missed or had another outcome. */
void compile_diff_keys(struct arena *a, const struct compile *before, const struct compile *after,
                       key_differences *out);
