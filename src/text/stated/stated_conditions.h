/* stated_conditions: the facts of a pasted text that take more than a word. Any thread. */
#pragma once

#include "model/model.h"

/* Adds the facts to those of *out, whose PyTorch version has been found. */
void conditions_find(struct str text, struct stated *out);

/* "torch.compile(sell)" of a function whose few lines the text shows, without a module of its own. */
bool conditions_few_lines(struct str text);
