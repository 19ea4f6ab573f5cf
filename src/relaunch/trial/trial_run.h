/* trial_run: one launch of a workload, and its outcome. One thread; no other may be running. */
#pragma once

#include "relaunch/trial/rerun.h"

/*
 * Launches it, reads its trace, compares it with the base, and appends it to the experiment: *out, which is valid
 * until the next call. Changes that did not reach the program are in (*out)->not_applied. Writes run.json. 0 or -errno
 * with r->failure. A failing workload is not an error.
 */
int trial_run(struct rerun *r, const struct trial_options *options, struct trial **out);
