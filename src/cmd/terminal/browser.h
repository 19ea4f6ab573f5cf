/* browser: shows the report that was written. Where no program can be started (browser_none.c), nothing is shown. */
#pragma once

#include "cmd/options.h"

/*
 * Before anything is read: what browser_open may need. Only for a person at a terminal with a desktop, never in a job.
 */
void browser_prepare(const struct options *o);

/* Shows the page in the directory that is meant by o->output. */
void browser_open(void);
