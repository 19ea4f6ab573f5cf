/*
 * copies: files with the same bytes, as a trace beside its packed self, a file that was copied under another name, or
 * the raw.log that tlparse leaves. What they hold would count twice. One thread.
 */
#pragma once

#include "model/model.h"

/*
 * Of traces and logs that were read: all but one of several with the same (unpacked) bytes are not used any more,
 * unless ranks are known from their names alone, and those differ.
 */
void copies_drop(struct run *r);
