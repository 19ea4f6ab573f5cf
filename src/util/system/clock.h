/* clock: the current time. Any thread, and signal handlers. */
#pragma once

#include <stdint.h>
#include <time.h>

/* Milliseconds of a clock that never jumps, for measuring durations. */
static inline int64_t clock_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Microseconds since 1970. */
static inline int64_t clock_now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}
