/*
 * advice_held: advice that a text has taken already. A sentence that asks for a setting, an option or a command that
 * the text has (text/stated/settings.h) is not said again; one with "If `X=1` is set, ..." becomes the first one, where
 * it is. Any thread.
 */
#pragma once

#include "model/model.h"

/* A sentence ends with a full stop and a blank, neither of which is within `code`. */
struct str held_next_sentence(struct str *words);

/* Both with a blank between them, or the one that there is. */
struct str held_joined(struct arena *a, struct str out, struct str sentence);

/* Whether the sentence only asks for what the text has, and for which setting. */
bool held_by(struct arena *a, const struct stated *to, struct str sentence, struct str *setting);

/* What such a sentence says beside it, which may be the reason; empty if it says nothing. In the arena. */
struct str held_reason(struct arena *a, struct str sentence);

/* Whether a sentence goes on about the one before: "It does ...". */
bool held_is_about_last(struct str sentence);

/* "report it with the stack that this run prints", where it has the setting that prints it. In the arena. */
struct str held_printed(struct arena *a, const struct stated *to, struct str sentence);

/* The words with the conditions that the text answers. In the arena, or the words. */
struct str held_conditions(struct arena *a, const struct stated *to, struct str version, struct str words);
