/*
 * preset: what to set in the environment of a workload for a question (`--why`), and what to log. Static tables.
 */
#pragma once

#include "relaunch/workload/environment.h"
#include "relaunch/workload/target.h"

struct preset {
    const char *question;        /* "breaks", as --why takes it: a row of analysis/answers/questions.c */
    const char *const *settings; /* "NAME=VALUE", up to NULL; only where the user did not set them */
    const char *logs;            /* TORCH_LOGS, comma-separated; names that PyTorch does not know are left out */
    enum caches caches;          /* unless the user says */
};

/* A row by its question; NULL when there is none. The empty question has a row, for any run. */
const struct preset *preset_find(struct str question);

/* Puts the preset's variables into the environment, where neither the workload nor the user set them. */
void preset_apply(const struct preset *p, struct environment *e);

/* What to log, of which `t` knows all names, as TORCH_LOGS has it. In the arena. */
struct str preset_logs(struct arena *a, const struct preset *p, const struct target *t);
