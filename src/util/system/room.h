/*
 * room: how much can still be written to a file system.
 */
#pragma once

#include <stdint.h>

/* Bytes that are free for this user where the open file lies; UINT64_MAX when the system does not say. Any thread. */
uint64_t room_of(int fd);
