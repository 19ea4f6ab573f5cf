/* Names cannot be swapped; callers then rename one after the other. */
#include <errno.h>

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    (void)from_dir;
    (void)from;
    (void)to_dir;
    (void)to;
    (void)flags;
    errno = ENOSYS;
    return -1;
}
