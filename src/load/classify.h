/* classify: recognizes what a file is by how it begins. Any thread. */
#pragma once

#include "input/discover.h"
#include "model/model.h"

/*
 * Decides by its beginning whether a file is read, and as what: sets kind and used, or why_not. A file that the user
 * named is read to its end before it is rejected as no trace; so is a file that can be read only once.
 */
void load_classify(struct input *in, const struct found_file *f);

/*
 * Why a text that begins like this is not used. Includes the line that comes nearest to a known format, to help a user
 * who thinks there is something in the file.
 */
struct str load_nothing_in(struct arena *a, struct str beginning);
