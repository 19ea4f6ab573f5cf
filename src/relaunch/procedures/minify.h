/*
 * minify: finds the smallest program that fails like the workload, with PyTorch's minifier (torch/_dynamo/repro). The
 * workload, run with TORCHDYNAMO_REPRO_AFTER, writes a launcher script with the failing graph; the launcher makes the
 * graph smaller as long as it fails; and the result is run once more by itself. The base must have been launched. One
 * thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/*
 * 0, or -errno with r->failure. Adds trials and conclusions to the experiment, and writes the program to
 * minify/repro.py.
 */
int minify_run(struct rerun *r);
