/*
 * settings: which settings, options and commands a pasted text has already, so that advice does not ask for them:
 * "TORCH_LOGS=recompiles", "dynamic=True", "rm -rf ~/.cache/vllm". Only what its writer typed counts, in commands and
 * in code, not what PyTorch's own messages advise. Any thread.
 */
#pragma once

#include "util/arena.h"
#include "util/str.h"

/* One a line: "NAME=VALUE" without quotes and without the object before the name; "rm PATH". In the arena. */
struct str settings_held(struct arena *a, struct str text);

/* What a word of advice asks for, in that form; empty if it is neither a setting nor such a command. In the arena. */
struct str settings_asked(struct arena *a, struct str code);

/* Whether `held` has all of what `asked` asks for. */
bool settings_has(struct str held, struct str asked);

/* Whether `held` has another value of the same name. */
bool settings_has_other(struct str held, struct str asked);
