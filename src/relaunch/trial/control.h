/*
 * control: checks, before a stage of the compiler is blamed, that there is a fault at all, that it occurs each time,
 * and that it never occurs without torch.compile. A program that draws random numbers, or continues from its own
 * checkpoint, differs from itself, so the first thing tried would seem to be at fault. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

#define TRIAL_EAGER "eager"

/*
 * Runs the program without torch.compile and, if the base is bad in comparison, both once more. r->control.fault then
 * says whether the compiler may be at fault. If not, r->control.clean says that nothing is wrong; otherwise
 * conclusions say what is. Done once for all procedures. 0 or -errno with r->failure.
 */
int control_run(struct rerun *r);

/* The base once more, with empty caches; once for all procedures. 0 or -errno with r->failure. */
int control_base_again(struct rerun *r, struct trial **again);

/* The program without torch.compile; `again`: for the second time. 0 or -errno with r->failure. */
int control_eager(struct rerun *r, bool again, struct trial **t);

/* How a trial goes wrong, in words: by its exception, or by another result. */
const char *trial_badness(const struct trial *t);

/* All calls of torch.compile in the base use the default backend, so it is the trial with the complete compiler. */
bool control_base_is_inductor(const struct rerun *r);

/* The time limit for a trial that may be slower than the base. With --fix, the limit is for all launches together. */
int64_t control_limit_s(const struct rerun *r);

/* With --fix, whether less time is left than one launch takes. */
bool control_is_out_of_time(const struct rerun *r);
