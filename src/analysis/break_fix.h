/*
 * break_fix: what helps against a graph break, by the words of its message. Adding one: a row in break_fix.c. Any
 * thread; what is handed out is static.
 */
#pragma once

#include "util/str.h"

/*
 * By the first line (type) and the whole of the message. False, with nothing set, when nothing special helps; `paste`
 * may be empty.
 */
bool break_fix_find(struct str type, struct str message, struct str *fix, struct str *paste);
