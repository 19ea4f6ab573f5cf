/*
 * oom: what the kernel says of memory: how many processes it killed for want of it, and how much our control group (of
 * a container, a job of a scheduler, a systemd unit) may hold. Any thread.
 *
 * `root` is where /proc and /sys are: "" but in tests.
 */
#pragma once

#include <stdint.h>

/*
 * How many it killed so far: of our own control group, where the kernel counts them for each (version 2), else on this
 * machine, of whatever container; 0 where it keeps no count.
 */
uint64_t oom_kills(const char *root);

/* The most bytes that our control group may hold, with those around it; 0: no limit, or none that can be seen. */
uint64_t oom_limit(const char *root);
