/*
 * minify: the smallest program that fails as the workload does, by PyTorch's minifier (torch/_dynamo/repro): the
 * workload with TORCHDYNAMO_REPRO_AFTER leaves a launcher with the graph that fails, the launcher makes the graph
 * smaller for as long as it fails, and what remains is run once more by itself. The base must have been launched. One
 * thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* 0, or -errno with r->failure. Trials and conclusions go into the experiment, the program into minify/repro.py. */
int minify_run(struct rerun *r);
