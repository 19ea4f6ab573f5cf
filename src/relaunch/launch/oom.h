/*
 * oom: facts about memory from the kernel: how many processes it killed because memory ran out, and how much our
 * control group (a container, a batch job, a systemd unit) may use. Any thread. `root` is where /proc and /sys are: ""
 * except in tests.
 */
#pragma once

#include <stdint.h>

/*
 * How many processes it has killed so far: in our own control group if the kernel counts them per group (version 2),
 * else on this machine, in any container; 0 if it has no count.
 */
uint64_t oom_kills(const char *root);

/* The most memory that our control group and those around it allow, in bytes; 0: no limit, or none that is visible. */
uint64_t oom_limit(const char *root);
