#include "util/system/signals.h"

#include "util/mem.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/*
 * What the signal handler removes: incomplete files, files not yet moved to their place, and the directories made for
 * them. Names are only ever added; a name that no longer exists does no harm.
 */
struct temp_name {
    struct temp_name *next; /* added earlier, so a directory comes after its contents */
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
            t->name[0] = '\0'; /* one byte, so the handler sees either the old or the new state */
}

/*
 * Calls only what POSIX allows in a handler. The signal is raised again with its default action, so the exit status is
 * right.
 */
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

    /* A signal that the parent ignored (nohup, a background job) stays ignored. */
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
