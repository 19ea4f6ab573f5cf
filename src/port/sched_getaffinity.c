/* On systems that cannot bind processes to processors: all processors count. */
#include <unistd.h>

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);

    (void)pid;
    (void)size;
    set->n = n > 0 ? (int)n : 1;
    return 0;
}
