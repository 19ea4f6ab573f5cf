/* glibc has it since 2.34, Linux since 5.9. On older systems, each descriptor that the process may have is closed. */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int close_range(unsigned first, unsigned last, int flags)
{
    long rc = syscall(SYS_close_range, first, last, flags), limit;

    if (rc == 0 || errno != ENOSYS)
        return (int)rc;
    limit = sysconf(_SC_OPEN_MAX);
    for (unsigned fd = first; fd <= last && (long)fd < limit; fd++)
        close((int)fd);
    return 0;
}
