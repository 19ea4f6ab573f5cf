/*
 * confine: before anything of a trace is read, the process gives up all files but those that the command line names
 * (util/system/sandbox.h). It may read what is given, and what links among it lead to; and write the output: a
 * directory that a report goes into, which is made for that; for an output that is a file, the directory that it is in.
 * A digest names the traces that it was made of, wherever they are: beside one all files may be read.
 *
 * Of `follow`, the copies that look at what was read. Not for `run`, which starts programs that may do whatever the
 * user may, nor for `mcp`, which calls other commands.
 */
#pragma once

#include "cmd/options.h"

/* Once, before there are threads; later calls do nothing, as does --no-sandbox. */
void confine(const struct options *o);

/* Removes what was made for the output, where nothing came to be in it. */
void confine_end(void);
