/*
 * what_if: changes how a program is compiled from outside, by its environment: with PyTorch's own variables where its
 * version has them, else through the sitecustomize that hook.h writes. One thread.
 */
#pragma once

#include "relaunch/workload/environment.h"
#include "relaunch/workload/target.h"

/* Both; what `over` says counts. */
struct what_if what_if_join(const struct what_if *base, const struct what_if *over);

/* Puts it into the environment. True when the hook has to be on PYTHONPATH for it. */
bool what_if_apply(const struct what_if *w, const struct target *t, struct environment *e);

/* "backend aot_eager, dynamic false"; empty when nothing is changed. */
struct str what_if_words(struct arena *a, const struct what_if *w);
