/* stated_text: finds in a pasted text what struct stated has. Any thread. */
#pragma once

#include "model/model.h"

/* The version and the sentence point into the text, or are static. */
void stated_find(struct str text, struct stated *out);
