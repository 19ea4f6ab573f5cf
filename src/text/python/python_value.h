/*
 * python_value: values as Python prints them (repr): None, True, 8, 1e-05, 'x', [1, 2], (1, 2), {'a', 'b'}, {'a': 1}.
 * Configurations have two forms: printed in fx_graph_runnable, and as JSON in the metrics. Any thread.
 */
#pragma once

#include "util/formats/json.h"

/*
 * Whether two texts are the same value. Quote style, blanks and the order in a set do not count, nor do distinctions
 * that JSON does not make (a list, a tuple and a set; 1 and 1.0). Texts that are not such values are compared byte by
 * byte.
 */
bool python_values_equal(struct str a, struct str b);

/* A JSON value as Python would print it, in the arena: "None", "'x'", "[1, 2]". */
struct str python_print(struct arena *a, json_t *value);
