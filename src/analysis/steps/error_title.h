/*
 * error_title: what failed, as the title of a finding says it: the kind of error, the exception and its headline
 * (error_words.h). Any thread.
 */
#pragma once

#include "analysis/answers/errors.h"

/* "CUDA error: an illegal memory access was encountered", of NCCL's watchdog that ends a process; else empty. */
struct str error_of_watchdog(const struct failure *f);

/* What failed, the exception, and its headline. Code is in `backticks`. In the arena. */
struct str error_title(struct arena *a, const struct error *e);

/* A warning of torch.export, whose program keeps a tensor as it was: with it results may be wrong without any error. */
bool error_loses_assignment(const struct error *e);

/* Whether only a shell, a CI or a notebook says how the process ended. */
bool error_is_of_shell(const struct failure *f);

/* A break without calls, in a text that does not ask for one graph: the program may have gone on after it. */
bool error_break_may_go_on(const struct failure *f);

/*
 * Whether an `Unsupported` may be of torch.compile or of an export: nothing in the text says that `torch.compile` was
 * called.
 */
bool error_may_be_export(const struct failure *f);

/* The API that required one graph and failed because of a graph break, or of a value that cannot be guarded on. */
struct str error_forbids_break(const struct failure *f);

/* Whether a recompile was needed although the program forbids all of them; does not include the recompile limit. */
bool error_forbids_recompile(const struct failure *f);
