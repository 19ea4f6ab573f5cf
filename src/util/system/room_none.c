#include "util/system/room.h"

uint64_t room_of(int fd)
{
    (void)fd;
    return UINT64_MAX;
}
