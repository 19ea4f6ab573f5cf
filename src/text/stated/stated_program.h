/* stated_program: what the program does, by its code in a pasted text. Any thread. */
#pragma once

#include "model/model.h"

/* Adds the facts to those of *out, whose PyTorch version has been found. */
void program_find(struct str text, struct stated *out);

/* "torch.compile(sell)" of a function whose few lines the text shows, without a module of its own. */
bool program_few_lines(struct str text);
