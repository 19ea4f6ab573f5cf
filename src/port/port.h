/*
 * port: functions of glibc that other C libraries, and glibc before 2.34, lack, with their names and meanings in
 * glibc. meson.build includes this file before every source file, defines LACKS_X for each missing function, and adds
 * the function's file. On a system that has all of them, nothing in this folder is built.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#ifdef LACKS_GETRANDOM
enum { GRND_NONBLOCK = 1 };
ssize_t getrandom(void *bytes, size_t n, unsigned flags);
#endif

#ifdef LACKS_RENAMEAT2
/* RENAME_EXCHANGE is the only flag that is used. */
enum { RENAME_EXCHANGE = 2 };
int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags);
#endif

#ifdef LACKS_CLOSE_RANGE
int close_range(unsigned first, unsigned last, int flags);
#endif

#ifdef LACKS_MKOSTEMP
int mkostemp(char *name, int flags);
#endif

#ifdef LACKS_FLOCK
int flock(int fd, int operation);
#endif

#ifdef LACKS_MEMRCHR
void *memrchr(const void *bytes, int c, size_t n);
#endif

#ifdef LACKS_SIGABBREV_NP
const char *sigabbrev_np(int signal);
#endif

#ifdef LACKS_REG_STARTEND
#include <regex.h>
enum { REG_STARTEND = 1 << 20 };
int port_regexec(const regex_t *regex, const char *text, size_t n, regmatch_t found[], int flags);
#define regexec port_regexec
#endif

#ifdef LACKS_SCHED_GETAFFINITY
typedef struct {
    int n;
} cpu_set_t;
int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
static inline int CPU_COUNT(const cpu_set_t *set)
{
    return set->n;
}
#endif
