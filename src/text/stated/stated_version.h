/* stated_version: which version of PyTorch a pasted text names. Any thread. */
#pragma once

#include "util/str.h"

/*
 * The version with which it fails, a view of the text or static: "2.6.0", or "2.0" if a wording shows no more. Empty if
 * the text names none, or several.
 */
struct str version_stated(struct str text);

/* The newest that has what the text has, "2.4", static. Empty if nothing shows it. */
struct str version_newest(struct str text);
