/*
 * trial_run: one launch of a workload, and what came of it. One thread; no other may be running.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/*
 * Launches it, reads its trace, compares it with the base, and appends it to the experiment: *out, which stays valid
 * until the next call. What did not reach the program is in (*out)->not_applied. Writes run.json. 0 or -errno with
 * r->failure. A workload that fails is no error.
 */
int trial_run(struct rerun *r, const struct trial_options *options, struct trial **out);
