/*
 * crash_text: what a traceback says, or what a dying process, a GPU, a shell or torchrun says of a crash. Views point
 * into the text, or into the arena. Any thread.
 */
#pragma once

#include "torchlog/crash/crash_facts.h"

/* False when the text says nothing of a crash after all. */
bool crash_text_parse(struct arena *a, enum crash_form form, struct str text, struct crash_text *out);

/* Whether a message only says that something else failed: a server (vLLM's) of its process, a task of its loop. */
bool crash_points_elsewhere(struct str message);
