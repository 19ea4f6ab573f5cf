/*
 * oom: what the kernel says of processes that it killed for want of memory. Any thread.
 */
#pragma once

#include <stdint.h>

/* How many it killed so far, on this machine, of whatever container; 0 where it keeps no count. */
uint64_t oom_kills(void);
