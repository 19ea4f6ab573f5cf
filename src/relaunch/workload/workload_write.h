/*
 * workload_write: a workload as YAML. One thread.
 */
#pragma once

#include "relaunch/workload/workload.h"

/* What workload_parse reads as the same workload. Bytes that are not UTF-8 do not survive: YAML has none. */
void workload_write(const struct workload *w, struct buf *out);
