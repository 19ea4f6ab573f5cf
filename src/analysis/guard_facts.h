/*
 * guard_facts: what a compile was made for, as its guards say: of each value that was looked at, what it was. So two
 * compiles of a function can be compared, and what a failed guard leaves open ("is now something else") is known from
 * the guards of the compile that followed. Read from the tree in dynamo_cpp_guards_str (2.4 and later); where there is
 * none, or the finder has read enough payloads, there are no facts. One thread.
 */
#pragma once

#include "analysis/find.h"
#include "text/guard_reason.h"

struct guard_facts;

/* Never NULL. Valid until guard_facts_forget. */
const struct guard_facts *guard_facts_of(struct finder *f, const struct compile *c);

/* Frees all facts: trees are large, and a function is looked at once. */
void guard_facts_forget(struct finder *f);

/* How many values two compiles of a function were made for are different ones; 0 when one of them has no facts. */
size_t guard_facts_differences(const struct guard_facts *a, const struct guard_facts *b);

/*
 * What the value of a failed guard is in the compile with these facts, in words: "3", "a tensor", "Tree". In the
 * finder's arena; empty when they do not tell.
 */
struct str guard_facts_now(struct finder *f, const struct guard_facts *facts, const struct guard_reason *failed);

/* The type of a value by its source, L['fn']: "torch.nn.modules.container.Sequential" (2.7 and later), or empty. */
struct str guard_facts_type(const struct guard_facts *facts, struct str source);

/* Which variable of the function it is, L['x'], from 0: parameters come first. -1 unknown (2.6 and earlier). */
int64_t guard_facts_position(const struct guard_facts *facts, struct str source);
