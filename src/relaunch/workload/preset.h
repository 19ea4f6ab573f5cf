/* preset: which environment variables to set and what to log for a question (`--why`). Static tables. */
#pragma once

#include "relaunch/workload/environment.h"
#include "relaunch/workload/target.h"

struct preset {
    const char *question;        /* "breaks", the value of --why: a row of analysis/answers/questions.c */
    const char *const *settings; /* "NAME=VALUE", up to NULL; only set if the user did not set them */
    const char *logs;            /* TORCH_LOGS, separated by commas; names that PyTorch does not know are left out */
    enum caches caches;          /* unless the user sets it */
};

/* A row by its question; NULL if there is none. The empty question has a row, for any run. */
const struct preset *preset_find(struct str question);

/* Puts the preset's variables into the environment, unless the workload or the user set them. */
void preset_apply(const struct preset *p, struct environment *e);

/* What to log, in the form of TORCH_LOGS; `t` knows which names are valid. In the arena. */
struct str preset_logs(struct arena *a, const struct preset *p, const struct target *t);
