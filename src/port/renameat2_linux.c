/* glibc has it since 2.28, Linux since 3.15. */
#include <sys/syscall.h>
#include <unistd.h>

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    return (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
}
