/* recompile_infer: the reason of a recompile for which PyTorch recorded none. */
#pragma once

#include "analysis/find/find.h"

/*
 * Where the guards of this compile and of the one before it are known, and a value of this one fails a guard of that
 * one, adds that guard as the reason: it did fail, since otherwise nothing would have been compiled. Adds nothing if
 * there are reasons, or only sizes and types of tensors differ. The reason lives as long as the finder's arena.
 */
void recompile_infer(struct finder *f, struct recompile *rc);
