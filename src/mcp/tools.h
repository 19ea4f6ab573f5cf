/*
 * tools: the tools that an agent can call. Each call runs this program as a child process; its answer is limited and
 * fenced. One thread. Adding one: a row of `tools` in tools.c.
 */
#pragma once

#include "mcp/mcp.h"

struct tools {
    const char *program;        /* the path of this program */
    const char *const *folders; /* only files in these folders are read; NULL at the end. Empty: any file */
    bool allow_run;
};

json_t *tools_list(void *tools);
json_t *tools_call(void *tools, struct arena *a, struct str name, json_t *arguments, struct str *why);
