#include "util/system/room.h"

#include <sys/statvfs.h>

uint64_t room_of(int fd)
{
    struct statvfs st;

    /* Some file systems do not report sizes and say that all are 0. */
    if (fstatvfs(fd, &st) != 0 || st.f_blocks == 0)
        return UINT64_MAX;
    return (uint64_t)st.f_bavail * st.f_frsize;
}
