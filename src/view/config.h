/*
 * config: the settings under which the run was compiled: what differs from the defaults (as far as the trace tells:
 * fx_graph_runnable names it), the full configurations (in the metrics), and what changed between compiles. Reads
 * payloads. Results live in the arena given.
 */
#pragma once

#include "text/config_text.h"
#include "view/view.h"

/* One setting over all compiles of the run. */
struct config_setting {
    struct str name, value;
    bool environment;
    uint64_t compiles; /* that had this value */
};

/* A value that was another one at the compile before of the same process. */
struct config_change {
    const struct compile *compile; /* the first with the new value */
    const char *config;            /* key of the metric: "dynamo_config" */
    struct str name, before, after;
};

struct configs {
    VEC(struct config_setting) differing; /* environment last; by name */
    VEC(struct config_change) changes;
    const struct compile *sample;         /* a compile whose metrics hold the configurations; NULL when none does */
    bool told;                            /* the trace says what differs */
};

void configs_find(struct arena *a, const struct run *r, struct configs *out);

/* The settings of the first compile that tells them: the environment of a process does not change. */
void config_of_first(struct arena *a, const struct run *r, struct settings *out);

json_t *fact_configuration(const struct view *v);
json_t *page_config(const struct view *v);
