#include "cmd/browser.h"

#include "util/mem.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

bool browser_is_wanted(const struct options *o)
{
    bool desktop = getenv("BROWSER") || getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");

    return !o->no_browser && !o->quiet && isatty(o->text_fd) && desktop && !getenv("CI") && !getenv("SSH_CONNECTION");
}

/* xdg-open honours BROWSER and returns at once; that it is missing is no error of ours. */
void browser_open(const char *dir)
{
    char *path = xasprintf("%s/index.html", dir);
    pid_t pid = fork();

    if (pid == 0) {
        int null = open("/dev/null", O_RDWR);

        setsid();
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execlp("xdg-open", "xdg-open", path, (char *)NULL);
        _exit(127);
    }
    free(path);
}
