/*
 * control: before a stage of the compiler is accused: is there a fault at all, is it there each time, and is it not
 * there without torch.compile, each time? A program that draws random numbers, or goes on from its own checkpoint,
 * differs from itself, and so would be found at fault in whatever is tried first. One thread.
 */
#pragma once

#include "relaunch/trial/rerun.h"

#define TRIAL_EAGER "eager"

/*
 * Runs the program without torch.compile, and where the base is bad against it, both again. Then r->control.fault says
 * whether the compiler may be at fault. If it is not, r->control.clean says that nothing is wrong; else conclusions
 * say what is. Done once for all procedures. 0 or -errno with r->failure.
 */
int control_run(struct rerun *r);

/* The base once more, with empty caches; once for all procedures. 0 or -errno with r->failure. */
int control_base_again(struct rerun *r, struct trial **again);

/* The program without torch.compile; `again`: for the second time. 0 or -errno with r->failure. */
int control_eager(struct rerun *r, bool again, struct trial **t);

/* How a trial goes wrong, in words: by its exception, or by another result. */
const char *trial_badness(const struct trial *t);

/* All calls of torch.compile in the base have the default backend: it is the trial with the whole compiler. */
bool control_base_is_inductor(const struct rerun *r);

/* How long a trial may take that may be slower than the base. With --fix the time limit is for all launches. */
int64_t control_limit_s(const struct rerun *r);

/* --fix has a time limit, and what is left of it is shorter than a launch takes. */
bool control_is_out_of_time(const struct rerun *r);
