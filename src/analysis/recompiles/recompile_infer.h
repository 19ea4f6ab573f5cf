/* recompile_infer: the reasons of recompiles for which PyTorch recorded none. */
#pragma once

#include "analysis/find/find.h"

/*
 * Where the guards of a compile and of the one before it are known, and a value of this one fails a guard of that one,
 * adds that guard as the reason: it did fail, since otherwise nothing would have been compiled. Adds nothing if there
 * are reasons, or only sizes and types of tensors differ. The reasons live as long as the finder's arena.
 */
void recompile_infer(struct finder *f, const struct recompile_chain *chain);
