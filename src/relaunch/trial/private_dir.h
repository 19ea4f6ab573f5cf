/* private_dir: our own temporary directories, for files that must not be in the output directory. Any thread. */
#pragma once

#include "util/arena.h"

/* Creates one under $TMPDIR. Empty, with -errno in *rc, on failure. The name lives in the arena. */
struct str private_dir_make(struct arena *a, int *rc);

/* Creates it again if it was removed. */
void private_dir_restore(struct str path);

/* Removes it with its contents; does nothing for an empty name. Links in it are removed, not followed. */
void private_dir_remove(struct str path);
