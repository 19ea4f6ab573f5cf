/*
 * renamex_np swaps names on APFS; elsewhere it fails with ENOTSUP, which is translated to the EOPNOTSUPP that callers
 * expect.
 */
#include <errno.h>
#include <stdio.h>

int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags)
{
    int rc = renameatx_np(from_dir, from, to_dir, to, flags == RENAME_EXCHANGE ? RENAME_SWAP : 0);

    if (rc != 0 && errno == ENOTSUP)
        errno = EOPNOTSUPP;
    return rc;
}
