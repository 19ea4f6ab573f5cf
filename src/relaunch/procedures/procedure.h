/*
 * procedure: the trials that a workload asks for, one after the other: the base, its repeats, the variants. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* 0, or -errno with r->failure. Stops early, without an error, when r->interrupted is set. */
int procedure_run(struct rerun *r);
