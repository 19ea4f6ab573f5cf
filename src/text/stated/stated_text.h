/* stated_text: finds in a pasted text what struct stated has. Any thread. */
#pragma once

#include "model/model.h"
#include "text/stated/prose.h"

/* `prose` is what its writer says. The version and the sentence point into the text, or are static. */
void stated_find(struct str text, const struct prose *prose, struct stated *out);
