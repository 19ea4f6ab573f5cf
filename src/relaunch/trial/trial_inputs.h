/* trial_inputs: the files of a trial from which a report is made. One thread. */
#pragma once

#include "relaunch/trial/rerun.h"

/*
 * Its traces, even if the program wrote them elsewhere; GPU activity; logs, and its terminal output. `wrapped`: the
 * output of ranks was separated after a launcher, so the terminal has it a second time.
 */
void trial_inputs_find(struct rerun *r, const struct trial *t, bool wrapped, const struct hook_report *report,
                       struct path_list *out);
