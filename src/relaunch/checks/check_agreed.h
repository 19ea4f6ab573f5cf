/*
 * check_agreed: compares a program's output with what two earlier launches of it agree on: times, addresses and
 * everything else that differs between those two is ignored. The order of equal lines does not matter. Pure.
 */
#pragma once

#include "relaunch/checks/check_text.h"
#include "util/arena.h"

/*
 * Fills *r: CHECK_NOT_COMPARED if the two have nothing in common. The arena holds temporary data. The texts r->then
 * and r->now are lines.
 */
void check_agreed(struct arena *a, struct str first, struct str second, struct str now, struct check_result *r);
