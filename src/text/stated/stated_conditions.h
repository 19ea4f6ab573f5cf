/* stated_conditions: the facts of a pasted text that take more than a word. Any thread. */
#pragma once

#include "model/model.h"

/* Adds the facts to those of *out, whose PyTorch version has been found. */
void conditions_find(struct str text, struct stated *out);
