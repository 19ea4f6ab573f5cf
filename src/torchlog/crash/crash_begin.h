/*
 * crash_begin: which lines of console text begin a traceback, or what a dying process says. Any thread.
 */
#pragma once

#include "torchlog/crash/crash_block.h"

/* What a line begins. */
enum crash_form crash_begins(struct str line);
/*
 * Whether the line alone shows that a text is about PyTorch or its compiler, so that the rest of it is worth reading.
 * Exceptions, and what a shell says of a process, other programs have too.
 */
bool crash_is_certain(struct str line);

/*
 * What some loggers put before every line of a traceback ("ERROR 06-20 08:00:00 [core.py:710] ") and others only before
 * its header or the exception ("ERROR:root:"): its length where `line` is such a line, else 0.
 */
size_t crash_lead(struct str line);
/* Whether a line begins with such a lead, which may have another time. */
bool crash_has_lead(struct str line, struct str lead);
