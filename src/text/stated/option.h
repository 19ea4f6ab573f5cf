/*
 * option: an option of the text that was given two values, both of which an assertion of compiled code names as sizes:
 * the code was made for the one and runs with the other. Any thread.
 */
#pragma once

#include "util/str.h"

/* "num_tills" of `"num_tills":7` in a text with "expected size 7==9" and with 9 beside 7 elsewhere; or empty. */
struct str option_of_sizes(struct str text);
