/*
 * copies: finds files with the same bytes, such as a trace next to its packed copy, a file copied under another name,
 * or the raw.log of tlparse. Their contents would otherwise count twice. One thread.
 */
#pragma once

#include "model/model.h"

/*
 * Of several traces or logs with the same (unpacked) bytes, all but one are marked unused, unless their ranks are
 * known only from their names, and those differ.
 */
void copies_drop(struct run *r);
