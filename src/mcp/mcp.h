/*
 * mcp: the Model Context Protocol on two file descriptors, one message of JSON-RPC 2.0 per line. Answers are in the
 * order of the requests. One thread.
 */
#pragma once

#include "util/formats/json.h"

/* What a server offers. */
struct mcp_tools {
    json_t *(*list)(void *object); /* the tools, as tools/list returns them: a new array */
    /*
     * The result of tools/call, a new object; NULL, with *why in the arena, if there is no such tool or the arguments
     * are invalid.
     */
    json_t *(*call)(void *object, struct arena *a, struct str name, json_t *arguments, struct str *why);
    void *object;
};

/* Serves until the input ends: 0, or -errno if reading or writing failed. */
int mcp_serve(int in, int out, const struct mcp_tools *tools);
