/*
 * crash_refused: the exception of a recompile that the program forbids names the function and the guards that failed,
 * as the messages of TORCH_LOGS=recompiles do. Any thread, one input each.
 */
#pragma once

#include "trace/record.h"

/*
 * Where the message is of such an exception, and the compile of the record does not know yet what it would have been
 * compiled again for: gives it the reasons. A record without a compile gets the one that the reasons name.
 */
void crash_refused(struct record *rec, struct str message);
