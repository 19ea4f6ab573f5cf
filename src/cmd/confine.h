/*
 * confine: before anything from a trace is read, the process gives up access to all files except those that the
 * command line names (util/system/sandbox.h). It may read the inputs, and the targets of links among them, and write
 * the output: a directory for a report, which is created for that purpose, or the directory of an output file. A
 * digest names the traces that it was made from, wherever they are: with a digest, all files may be read. In `follow`,
 * this applies to the forked copies that analyze what was read. It does not apply to `run`, which starts programs that
 * may do whatever the user may, nor to `mcp`, which starts other commands.
 */
#pragma once

#include "cmd/options.h"

/* Takes effect once, and must be called before threads start; later calls do nothing, as with --no-sandbox. */
void confine(const struct options *o);

/* Removes directories that were created for the output, if they are empty. */
void confine_end(void);
