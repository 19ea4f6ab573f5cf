/* diff_fail_on: evaluates `pt2trace diff --fail-on` on the document made by diff_make (gate/diff.h). Any thread. */
#pragma once

#include "util/formats/json.h"
#include "util/str.h"

/*
 * Whether the document has a difference of the kind named by `--fail-on`: any, breaks, recompiles, errors, graphs,
 * time, findings.
 */
bool diff_has(const json_t *diff, struct str what);
bool diff_can_fail_on(struct str what);
