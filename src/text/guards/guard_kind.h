/*
 * guard_kind: the kinds of guards: the leaf guards of torch/csrc/dynamo/guards.cpp, which the guard tree shows, and
 * the methods of GuardBuilder in torch/_dynamo/guards.py, which verbose logs name. Static. Any thread.
 */
#pragma once

#include "util/str.h"

/* What a kind of guard checks, in a few plain words ("the number of entries of a dict"); NULL if unknown. */
const char *guard_kind_words(struct str kind);

/* The kind of a check without a tree, as in the older flat lists; "GUARD" if its form is unknown. */
struct str guard_kind_of_check(struct str check);
