/* recompile_state: recompiles because a setting of the whole program changed, such as the grad mode. Any thread. */
#pragma once

#include "analysis/recompiles/recompile_cause.h"

/* "GLOBAL_STATE changed: grad_mode": training and validation are two modes, and one compile for each. */
bool recompile_state_is_grad_mode(const struct recompile_cause *cause);

/* The same in a server that answers requests, where it was to be compiled before the first of them. */
bool recompile_state_is_of_requests(const struct recompile_cause *cause);

/* What to do about the setting that changed, in the arena; empty if none did, or nothing is known of it. */
struct str recompile_state_fix(struct arena *a, const struct recompile_cause *cause);
