/*
 * check_agreed: what a program printed, against what two earlier launches of it agree on: times, addresses and whatever
 * else differs between those two is left out. Lines may come in another order, as long as they are the same. Pure.
 */
#pragma once

#include "relaunch/checks/check_text.h"
#include "util/arena.h"

/*
 * Fills *r: CHECK_NOT_COMPARED when the two have nothing in common. The arena is for what is needed meanwhile. Texts of
 * r->then and r->now are lines.
 */
void check_agreed(struct arena *a, struct str first, struct str second, struct str now, struct check_result *r);
