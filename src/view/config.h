/*
 * config: the settings under which the run was compiled: what differs from the defaults of its version, the full
 * configurations (in the metrics), and what changed between compiles. Results live in the arena given.
 */
#pragma once

#include "view/view.h"

/* A value that was another one at the compile before of the same process. */
struct config_change {
    const struct compile *compile; /* the first with the new value */
    const char *config;            /* key of the metric: "dynamo_config" */
    struct str name, before, after;
};

struct configs {
    VEC(struct config_change) changes;
    const struct compile *sample; /* a compile whose metrics hold the configurations; NULL when none does */
};

void configs_find(struct arena *a, const struct run *r, struct configs *out);

/* Whether what somebody set is listed: the user's settings and environment variables; what a variable in the list sets
   is not listed for itself. */
bool config_is_of_user(const struct setting_use *u);

/* The keys of the metrics that hold configurations. */
enum { CONFIG_KEYS = 4 };
extern const char *const config_keys[CONFIG_KEYS];

/* A value of a configuration as JSON, cut when it is long; "(absent)" for NULL. In the arena. */
struct str config_value_text(struct arena *a, const json_t *v);
