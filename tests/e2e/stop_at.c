/*
 * stop_at: loaded into pt2trace (LD_PRELOAD) by test_publish.py, it stops the program at its n-th call that changes
 * files.
 *
 *     STOP_AT=N     at call number N, from 0 ...
 *     STOP_HOW=N    ... comes signal N, or with a negative number the call fails with that errno
 *     STOP_COUNT=F  how many such calls there were is written to this file
 *     STOP_WITHOUT  "exchange": names cannot be exchanged here; "links": symbolic links cannot be made
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    long at;
    int how;
    const char *without;
    long calls;
    FILE *count;
} stop;

static long number(const char *name, long otherwise)
{
    const char *value = getenv(name);

    return value ? atol(value) : otherwise;
}

__attribute__((constructor)) static void begin(void)
{
    stop.at = number("STOP_AT", -1);
    stop.how = (int)number("STOP_HOW", 0);
    stop.without = getenv("STOP_WITHOUT") ? getenv("STOP_WITHOUT") : "";
    stop.count = getenv("STOP_COUNT") ? fopen(getenv("STOP_COUNT"), "w") : NULL; /* before the sandbox */
}

__attribute__((destructor)) static void end(void)
{
    if (stop.count) {
        fprintf(stop.count, "%ld", stop.calls);
        fclose(stop.count);
    }
}

/* Whether this call fails. */
static bool is_stopped(void)
{
    if (__atomic_fetch_add(&stop.calls, 1, __ATOMIC_SEQ_CST) != stop.at)
        return false;
    if (stop.how > 0)
        kill(getpid(), stop.how);
    else
        errno = -stop.how;
    return stop.how < 0;
}

static bool is_without(const char *what, int error)
{
    bool without = strcmp(stop.without, what) == 0;

    if (without)
        errno = error;
    return without;
}

#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

int mkdir(const char *path, mode_t mode)
{
    return is_stopped() ? -1 : REAL(mkdir)(path, mode);
}

int rmdir(const char *path)
{
    return is_stopped() ? -1 : REAL(rmdir)(path);
}

int unlink(const char *path)
{
    return is_stopped() ? -1 : REAL(unlink)(path);
}

int rename(const char *from, const char *to)
{
    return is_stopped() ? -1 : REAL(rename)(from, to);
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags)
{
    return is_without("exchange", EINVAL) || is_stopped() ? -1 : REAL(renameat2)(from_at, from, to_at, to, flags);
}

int link(const char *from, const char *to)
{
    return is_stopped() ? -1 : REAL(link)(from, to);
}

int symlink(const char *target, const char *path)
{
    return is_without("links", EPERM) || is_stopped() ? -1 : REAL(symlink)(target, path);
}

int flock(int fd, int operation)
{
    return is_stopped() ? -1 : REAL(flock)(fd, operation);
}

ssize_t write(int fd, const void *p, size_t n)
{
    return is_stopped() ? -1 : REAL(write)(fd, p, n);
}

static int open_as(__typeof__(&open) real, const char *path, int flags, mode_t mode)
{
    return (flags & (O_CREAT | O_WRONLY)) && is_stopped() ? -1 : real(path, flags, mode);
}

static mode_t mode_of(int flags, va_list arguments)
{
    return flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode;

    va_start(arguments, flags);
    mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_as(REAL(open), path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode;

    va_start(arguments, flags);
    mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_as(REAL(open64), path, flags, mode);
}
