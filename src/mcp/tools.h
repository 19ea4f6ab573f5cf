/*
 * tools: what an agent can ask. Each call runs this program as a process; its answer is bounded and fenced. One thread.
 *
 * Adding one: a row of `tools` in tools.c.
 */
#pragma once

#include "mcp/mcp.h"

struct tools {
    const char *program;        /* of this process */
    const char *const *folders; /* only what lies in them is read; NULL at the end. Empty: anything */
    bool allow_run;
};

json_t *tools_list(void *tools);
json_t *tools_call(void *tools, struct arena *a, struct str name, json_t *arguments, struct str *why);
