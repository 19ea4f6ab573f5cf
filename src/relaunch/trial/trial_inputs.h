/*
 * trial_inputs: what a trial left for a report to be made of. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

/*
 * Its traces, also where the program had them written elsewhere; what GPUs did; logs, and the text of its terminal.
 * `wrapped`: ranks were kept apart behind a launcher, so that the terminal has the same again.
 */
void trial_inputs_find(struct rerun *r, const struct trial *t, bool wrapped, const struct hook_report *report,
                       struct path_list *out);
