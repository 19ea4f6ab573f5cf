#include "cmd/terminal/progress.h"

#include "util/system/file.h"
#include "util/system/signals.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_MS = 1000, NEXT_MS = 200 };

static bool sleep_until_woken(struct progress *p, long ms)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += ms % 1000 * 1000000;
    until.tv_sec += ms / 1000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&p->wake, &p->lock, &until);
    return !p->stop;
}

static void *show(void *arg)
{
    struct progress *p = arg;
    bool shown = false;

    signals_block();
    pthread_mutex_lock(&p->lock);
    for (long ms = FIRST_MS; sleep_until_woken(p, ms); ms = NEXT_MS) {
        double done = (double)__atomic_load_n(&p->done, __ATOMIC_RELAXED) / 1e6;
        double expected = (double)__atomic_load_n(&p->expected, __ATOMIC_RELAXED) / 1e6;

        if (expected >= done && expected > 0)
            fprintf(stderr, "\r\x1b[K%s: %.0f of %.0f MB", p->what, done, expected);
        else
            fprintf(stderr, "\r\x1b[K%s: %.0f MB", p->what, done);
        shown = true;
    }
    pthread_mutex_unlock(&p->lock);
    if (shown)
        fputs("\r\x1b[K", stderr);
    return NULL;
}

void progress_begin(struct progress *p, const char *what, bool wanted)
{
    *p = (struct progress){.what = what};
    if (!wanted || !isatty(STDERR_FILENO))
        return;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->wake, NULL);
    p->running = pthread_create(&p->thread, NULL, show, p) == 0;
}

void progress_end(struct progress *p)
{
    if (!p->running)
        return;
    pthread_mutex_lock(&p->lock);
    p->stop = true;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->lock);
}
