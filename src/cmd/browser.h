/* browser: shows the report that was written. Where no program can be started (browser_none.c), nothing is shown. */
#pragma once

#include "cmd/options.h"

#include <stdbool.h>

/* Only for a person at a terminal with a desktop, never in a job. */
bool browser_is_wanted(const struct options *o);

/* The page in this directory. */
void browser_open(const char *dir);
