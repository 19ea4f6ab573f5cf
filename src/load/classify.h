/*
 * classify: what a file is, by how it begins. Any thread.
 */
#pragma once

#include "input/discover.h"
#include "model/model.h"

/*
 * Decides whether a file is read, and as what, by its beginning: sets kind and used, or why_not. One that the user
 * named is read to its end before it is called no trace; so is what can be read only once.
 */
void load_classify(struct input *in, const struct found_file *f);

/*
 * Why a text with this beginning is not used: with the line that comes nearest to what was looked for, for whoever
 * thinks that there is something.
 */
struct str load_nothing_in(struct arena *a, struct str beginning);
