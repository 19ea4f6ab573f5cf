/*
 * settings: the settings of the compiler that were not at their defaults, in which compiles, and who set them. The
 * defaults are those of the process's own version (text/versions/names.h). Results live in the arena given.
 * Two records have them. The configurations in the metrics (2.6 and later) are complete. The head of fx_graph_runnable
 * has environment variables and assignments, including those by PyTorch, and those to the default. A graph loaded from
 * a cache has the head of the process that compiled it. Its environment and Dynamo settings are those of another
 * process and are left out; the others are part of the cache's key.
 */
#pragma once

#include "model/model.h"

enum set_by {
    SET_BY_USER,     /* in any way; an environment variable always */
    SET_BY_OPTIONS,  /* by options= or mode= of torch.compile: only in effect while a graph is compiled */
    SET_BY_VARIABLE, /* by an environment variable of the list */
    SET_BY_PYTORCH,  /* by PyTorch itself, see name_patch in text/versions/names.h */
};

const char *set_by_name(enum set_by by); /* as in report.json */

struct setting_use {
    struct str name;     /* "torch._inductor.config.triton.cudagraphs", "TORCH_LOGS" */
    struct str value;    /* as Python prints it */
    struct str usual;    /* the default in that version; empty if unknown, and for environment variables */
    struct str variable; /* for SET_BY_VARIABLE: the variable's name */
    enum set_by by;
    bool environment;                     /* an environment variable */
    uint64_t count;                       /* compiles with this value */
    uint64_t assigned;                    /* those whose program assigns it */
    uint64_t passing;                     /* of `assigned`, those that had another value at the end */
    VEC(const struct compile *) compiles; /* the compiles, unless PyTorch set the value */
};

/*
 * Whether it is one of the user's own: a setting or an environment variable. A setting whose value comes from a
 * variable in the list is not.
 */
static inline bool setting_is_of_user(const struct setting_use *u)
{
    return u->by == SET_BY_USER || u->by == SET_BY_OPTIONS;
}

struct settings_used {
    VEC(struct setting_use *) list; /* settings before environment variables, each by name and value */
    bool known;                     /* any record has settings */
};

void settings_find(struct arena *a, const struct run *r, struct settings_used *out);
