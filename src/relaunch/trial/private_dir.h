/*
 * private_dir: directories of our own, for what must not lie in the output directory. Any thread.
 */
#pragma once

#include "util/arena.h"

/* Makes one under $TMPDIR. Empty, with -errno in *rc, when that fails. The name lives in the arena. */
struct str private_dir_make(struct arena *a, int *rc);

/* Makes one again that somebody removed. */
void private_dir_restore(struct str path);

/* Removes it with all that is in it; nothing for an empty name. Links in it are removed, not followed. */
void private_dir_remove(struct str path);
