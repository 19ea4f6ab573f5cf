#include <stdlib.h>

ssize_t getrandom(void *bytes, size_t n, unsigned flags)
{
    (void)flags; /* it never waits */
    arc4random_buf(bytes, n);
    return (ssize_t)n;
}
