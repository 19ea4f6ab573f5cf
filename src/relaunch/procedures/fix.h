/*
 * fix: the advice of the base's findings, put into the program from outside: each alone, then what helps together; and
 * what came of it, measured against two launches of the program as it is. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/* 0 or -errno with r->failure. Fills the experiment's fixes and patch, and writes fixes.md. */
int fix_run(struct rerun *r);
