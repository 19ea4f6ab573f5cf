/*
 * trial_setup: the command and the environment of a trial, both for launching it and as a command line for people. One
 * thread.
 */
#pragma once

#include "relaunch/trial/arrival.h"
#include "relaunch/trial/rerun.h"

struct trial_setup {
    struct command_line line;
    struct environment environment;
    struct arrival arrival; /* the changes that must reach the program */
    struct str own_caches;  /* a private directory, to remove after the trial; may be empty */
};

/*
 * Fills *s, and the environment and command in *t for run.json. 0 or -errno with r->failure. The caller removes
 * s->own_caches in either case.
 */
int trial_setup_make(struct rerun *r, const struct trial_options *o, struct trial *t, struct trial_setup *s);

/* The directory of a trial, or a file in it: "base/log". In the arena, NUL-terminated. */
const char *trial_path(struct rerun *r, struct str trial, const char *name);
