/*
 * what_if: changes from outside how a program is compiled, through its environment: with PyTorch's own variables if
 * its version has them, else with the sitecustomize that hook.h writes. One thread.
 */
#pragma once

#include "relaunch/workload/environment.h"
#include "relaunch/workload/target.h"

/* Combines both; `over` wins. */
struct what_if what_if_join(const struct what_if *base, const struct what_if *over);

/* Puts it into the environment. True if it needs the hook on PYTHONPATH. */
bool what_if_apply(const struct what_if *w, const struct target *t, struct environment *e);

/* "backend aot_eager, dynamic false"; empty if nothing is changed. */
struct str what_if_words(struct arena *a, const struct what_if *w);
