#include "cmd/commands/cmd.h"

#include "cmd/complain.h"
#include "mcp/tools.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool are_directories(const struct options *o)
{
    struct stat st;

    for (int i = 0; i < o->args_n; i++)
        if (stat(o->args[i], &st) || !S_ISDIR(st.st_mode)) {
            complain("%s: not a directory; see pt2trace mcp --help", o->args[i]);
            return false;
        }
    return true;
}

int cmd_mcp(const struct options *o)
{
    struct tools tools;
    const char **folders;
    char *self;
    int rc;

    if (!are_directories(o))
        return EXIT_USAGE;
    self = realpath("/proc/self/exe", NULL);
    folders = calloc((size_t)o->args_n + 1, sizeof *folders);
    if (!self || !folders) {
        complain("/proc/self/exe: cannot be read; pt2trace mcp starts itself for each call");
        free(self);
        free(folders);
        return EXIT_IO;
    }
    memcpy(folders, o->args, (size_t)o->args_n * sizeof *folders);
    tools = (struct tools){self, folders, o->allow_run};
    rc = mcp_serve(STDIN_FILENO, STDOUT_FILENO, &(struct mcp_tools){tools_list, tools_call, &tools});
    if (rc && rc != -EPIPE)
        complain("standard input or output: %s", strerror(-rc));
    free(self);
    free(folders);
    return rc && rc != -EPIPE ? EXIT_IO : EXIT_DONE;
}
