/*
 * configs: the complete configurations of PyTorch under which the run was compiled, which the metrics have, and how
 * they changed between compiles. Results live in the arena given.
 */
#pragma once

#include "model/model.h"
#include "util/formats/json.h"

/* A value that differed in the previous compile of the same process. */
struct config_change {
    const struct compile *compile; /* the first compile with the new value */
    const char *config;            /* the key of the metric: "dynamo_config" */
    struct str name, before, after;
};

struct configs {
    VEC(struct config_change) changes;
    const struct compile *sample; /* a compile whose metrics have the configurations; NULL if none has */
};

void configs_find(struct arena *a, const struct run *r, struct configs *out);

/* The keys of the metrics with configurations. */
enum { CONFIG_KEYS = 4 };
extern const char *const config_keys[CONFIG_KEYS];

/* A value of a configuration as JSON, cut if it is long; "(absent)" for NULL. In the arena. */
struct str config_value_text(struct arena *a, const json_t *v);
