/* workload_write: writes a workload as YAML. One thread. */
#pragma once

#include "relaunch/workload/workload.h"

/*
 * workload_parse reads the result as the same workload, except that bytes that are not UTF-8 become U+FFFD, because
 * YAML has no way to write them.
 */
void workload_write(const struct workload *w, struct buf *out);
