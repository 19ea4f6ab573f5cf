/*
 * variant: what the writer of a pasted text changed so that it works: "`till=False` is fine", "used to work, now with
 * `--till` I get this". Only of the writer's own sentences, outside of code and logs. Any thread.
 */
#pragma once

#include "model/model.h"

/* Writes the fields of `out` whose names begin with `variant`: views of the text. */
void variant_find(struct str text, struct stated *out);
