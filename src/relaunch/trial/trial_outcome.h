/*
 * trial_outcome: the outcome of a trial: how it ended, its output and files compared with other trials, and what its
 * trace and the hook report. One thread.
 */
#pragma once

#include "relaunch/trial/trial_setup.h"

/* How it ended, with notes on anything unusual. */
void trial_outcome_end(struct rerun *r, struct trial *t, const struct launch_result *result);

/* Its results, compared with those of the reference trial. */
void trial_outcome_check(struct rerun *r, const struct trial_options *o, const struct trial_setup *s,
                         const struct checked_files *files);

/* Its trace and logs; whether its changes arrived; and how it differs from the base. */
void trial_outcome_look(struct rerun *r, const struct trial_options *o, struct trial_setup *s, struct trial *t);
