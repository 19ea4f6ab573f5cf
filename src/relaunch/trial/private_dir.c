#include "relaunch/trial/private_dir.h"

#include "util/system/file.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_DIRECTORIES = 32 };

struct str private_dir_make(struct arena *a, int *rc)
{
    char *path = arena_copy(a, arena_printf(a, "%s/pt2trace-XXXXXX", temp_file_dir()));

    *rc = mkdtemp(path) ? 0 : -errno;
    return *rc ? (struct str){0} : str_of(path);
}

void private_dir_restore(struct str path)
{
    if (path.n)
        mkdir(path.p, 0700);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)at;
    return type == FTW_DP || type == FTW_DNR ? rmdir(path), 0 : unlink(path), 0;
}

void private_dir_remove(struct str path)
{
    if (path.n)
        nftw(path.p, remove_one, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
