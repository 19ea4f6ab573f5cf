/*
 * trial_outcome: what came of a trial: how it ended, what it printed and wrote against other trials, what its trace and
 * the hook say of it. One thread.
 */
#pragma once

#include "relaunch/trial/trial_setup.h"

/* How it ended, with notes on what is odd about that. */
void trial_outcome_end(struct rerun *r, struct trial *t, const struct launch_result *result);

/* Its results against those of the trial that others are compared with. */
void trial_outcome_check(struct rerun *r, const struct trial_options *o, const struct trial_setup *s,
                         const struct checked_files *files);

/* Its trace and its logs; whether what it asks for arrived; what differs from the base. */
void trial_outcome_look(struct rerun *r, const struct trial_options *o, struct trial_setup *s, struct trial *t);
