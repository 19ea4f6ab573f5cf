#include "util/system/signals.h"

#include "util/mem.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/*
 * What the signal handler removes: files that are not complete, or not yet in their place, and directories made for
 * them. Names are only added: one that is no longer there does no harm.
 */
struct temp_name {
    struct temp_name *next; /* added before: a directory comes behind what is in it */
    char name[];
};

static struct temp_name *volatile temp_names;

void signals_remove(const char *name)
{
    size_t n = strlen(name) + 1;
    struct temp_name *t = xmalloc(sizeof *t + n);

    memcpy(t->name, name, n);
    t->next = temp_names;
    temp_names = t;
}

void signals_forget_below(const char *path)
{
    for (struct temp_name *t = temp_names; t; t = t->next)
        if (strncmp(t->name, path, strlen(path)) == 0)
            t->name[0] = '\0'; /* one byte, which the handler sees before or after */
}

/* Only what POSIX allows in a handler. The second death is by the default, with its status. */
static void on_signal(int sig)
{
    for (const struct temp_name *t = temp_names; t; t = t->next)
        if (unlink(t->name) != 0)
            rmdir(t->name);
    signal(sig, SIG_DFL);
    raise(sig);
}

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

enum { ENDING_SIGNALS = sizeof ending_signals / sizeof *ending_signals };

void signals_clean_up(void)
{
    struct sigaction sa = {.sa_handler = on_signal}, before;

    /* One that the parent had ignored (nohup, a job in the background) stays ignored. */
    for (size_t i = 0; i < ENDING_SIGNALS; i++)
        if (sigaction(ending_signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &sa, NULL);
}

static sigset_t ending_set(void)
{
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < ENDING_SIGNALS; i++)
        sigaddset(&set, ending_signals[i]);
    return set;
}

void signals_block(void)
{
    sigset_t set = ending_set();

    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void signals_unblock(void)
{
    sigset_t set = ending_set();

    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}
