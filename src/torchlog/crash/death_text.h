/*
 * death_text: what is said of a process that died or hung, other than a traceback: by faulthandler, the C++ runtime, a
 * signal handler, NCCL's watchdog, a shell, py-spy, and of an assertion on the GPU. Any thread.
 */
#pragma once

#include "torchlog/crash/crash_facts.h"

/* False when the text says nothing of a death after all. `out` is empty before. */
bool death_text_parse(struct arena *a, enum crash_form form, struct str text, struct crash_text *out);
