/*
 * trial_setup: what a trial is launched with: the command and the environment, for the launch and as a command for
 * people. One thread.
 */
#pragma once

#include "relaunch/trial/arrival.h"
#include "relaunch/trial/rerun.h"

struct trial_setup {
    struct command_line line;
    struct environment environment;
    struct arrival arrival; /* what has to reach the program */
    struct str own_caches;  /* a private directory, to be removed after the trial; may be empty */
};

/*
 * Fills *s, and what run.json has of it in *t: environment and command. 0 or -errno with r->failure. The caller removes
 * s->own_caches in either case.
 */
int trial_setup_make(struct rerun *r, const struct trial_options *o, struct trial *t, struct trial_setup *s);

/* The directory of a trial, or what is in it: "base/log". In the arena, ends in NUL. */
const char *trial_path(struct rerun *r, struct str trial, const char *name);
