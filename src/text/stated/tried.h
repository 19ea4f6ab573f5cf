/* tried: what a pasted text says was set or tried, and what came of it. Any thread. */
#pragma once

#include "model/model.h"

/* Adds the facts to those of *out. */
void tried_find(struct str text, struct stated *out);
