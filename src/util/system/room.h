/* room: how much can still be written to a file system. */
#pragma once

#include <stdint.h>

/* Free bytes for this user on the file system of an open file; UINT64_MAX if the system does not say. Any thread. */
uint64_t room_of(int fd);
