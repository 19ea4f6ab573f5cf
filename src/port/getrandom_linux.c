/* glibc has it since 2.25, Linux since 3.17. */
#include <sys/syscall.h>
#include <unistd.h>

ssize_t getrandom(void *bytes, size_t n, unsigned flags)
{
    return syscall(SYS_getrandom, bytes, n, flags);
}
