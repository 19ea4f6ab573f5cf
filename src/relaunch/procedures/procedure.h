/*
 * procedure: the trials that a workload asks for, one after another: the base, its repeats, the variants. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* 0, or -errno with r->failure. Stops early, without an error, if r->interrupted is set. */
int procedure_run(struct rerun *r);
