/*
 * progress: one line on stderr while work takes longer than a second, only on a terminal. A separate thread reads the
 * counters, so workers need not care.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *what;
    uint64_t done, expected; /* bytes; other threads change them atomically */
    bool running;
    bool stop;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
};

void progress_begin(struct progress *p, const char *what, bool wanted);
void progress_end(struct progress *p);
