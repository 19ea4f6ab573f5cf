/*
 * settings: which settings of the compiler were not at their default, in which compiles, and who set them. The defaults
 * are those of the process's own version (text/versions/names.h). Results live in the arena given.
 *
 * Two records have them: the configurations in the metrics (2.6 and later), which are whole, and the head of
 * fx_graph_runnable, which has environment variables and what was assigned: also by PyTorch, and also to the default.
 * A graph that comes out of a cache brings the head of the process that compiled it. Its environment and its settings
 * of Dynamo are then those of another process, and left out; the others are part of the cache's key.
 */
#pragma once

#include "model/model.h"

enum set_by {
    SET_BY_USER,     /* in some way; an environment variable always */
    SET_BY_OPTIONS,  /* by options= or mode= of torch.compile: it holds only while a graph is compiled */
    SET_BY_VARIABLE, /* by an environment variable of the list */
    SET_BY_PYTORCH,  /* by PyTorch itself, see name_patch in text/versions/names.h */
};

const char *set_by_name(enum set_by by); /* as in report.json */

struct setting_use {
    struct str name;     /* "torch._inductor.config.triton.cudagraphs", "TORCH_LOGS" */
    struct str value;    /* as Python prints it */
    struct str usual;    /* the default in that version; empty when it is not known, and of environment variables */
    struct str variable; /* of SET_BY_VARIABLE: its name */
    enum set_by by;
    bool environment;                     /* an environment variable */
    uint64_t count;                       /* compiles with this value */
    uint64_t assigned;                    /* of them, those whose program assigns it */
    uint64_t passing;                     /* and of these, those that had another value when they were done */
    VEC(const struct compile *) compiles; /* they, as far as PyTorch did not set it */
};

struct settings_used {
    VEC(struct setting_use *) list; /* settings before environment variables, each by name and value */
    bool known;                     /* some record has settings at all */
};

void settings_find(struct arena *a, const struct run *r, struct settings_used *out);
