/* diff_fail_on: what `pt2trace diff --fail-on` asks of the document that diff_make (gate/diff.h) made. Any thread. */
#pragma once

#include "util/formats/json.h"
#include "util/str.h"

/* Whether the document has what `--fail-on` names: any, breaks, recompiles, errors, graphs, time, findings. */
bool diff_has(const json_t *diff, struct str what);
bool diff_can_fail_on(struct str what);
