/*
 * recompile_version: whether the PyTorch of a recompile has a setting, a function or a parameter, and whether it is old
 * enough or new enough. Any thread.
 */
#pragma once

#include "analysis/recompiles/recompile_cause.h"
#include "text/versions/names.h"

/* Whether the trace's PyTorch has the name, or that parameter of torch.compile. False if its version is unknown. */
bool recompile_has(const struct recompile_cause *cause, enum name_kind kind, const char *name);
/* The same, and true if its version is unknown. */
bool recompile_may_have(const struct recompile_cause *cause, enum name_kind kind, const char *name);
bool recompile_has_parameter(const struct recompile_cause *cause, const char *parameter);

bool recompile_version_is_known(const struct recompile_cause *cause);
/* Whether it is that version or a later one. */
bool recompile_version_is(const struct recompile_cause *cause, uint64_t major, uint64_t minor);
