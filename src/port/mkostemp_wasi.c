/* Names need not be hard to guess: no other program sees this one's files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = 6, TRIES = 1000000 };

int mkostemp(char *name, int flags)
{
    char *end = name + strlen(name) - PLACES;

    for (int i = 0; i < TRIES; i++) {
        int fd;

        snprintf(end, PLACES + 1, "%06d", i);
        fd = open(name, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}
