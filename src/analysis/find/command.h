/*
 * command: command lines for the reader to paste. Results are in the arena given. Any thread.
 */
#pragma once

#include "model/model.h"

/* "pt2trace show PATH DIGEST": prints the payload of an artifact; by its line of the trace if it has no digest. */
struct str command_show(struct arena *a, const struct artifact *artifact);

/* "pt2trace show PATH 0/1": prints everything known about a compile. */
struct str command_show_compile(struct arena *a, const struct compile *c);

/* "pt2trace run OPTION -c WORKLOAD": launches the program of the experiment again, to answer another question. */
struct str command_run_again(struct arena *a, const struct experiment *x, const char *option);
