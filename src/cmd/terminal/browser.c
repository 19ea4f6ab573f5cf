#include "cmd/terminal/browser.h"

#include "cmd/terminal/helper.h"
#include "util/mem.h"
#include "util/system/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static struct helper browser = {-1, -1};

static bool is_wanted(int text_fd)
{
    bool desktop = getenv("BROWSER") || getenv("DISPLAY") || getenv("WAYLAND_DISPLAY");

    return isatty(text_fd) && desktop && !getenv("CI") && !getenv("SSH_CONNECTION");
}

/* xdg-open honors BROWSER and returns at once; if it is missing, nothing happens. */
static void become_browser(const char *dir)
{
    char *path = xasprintf("%s/index.html", dir);
    int null = open("/dev/null", O_RDWR);

    setsid();
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execlp("xdg-open", "xdg-open", path, (char *)NULL);
    _exit(127);
}

void browser_prepare(const char *directory, int text_fd)
{
    int from;

    if (is_wanted(text_fd) && helper_begin(&browser, &from))
        become_browser(directory);
}

void browser_open(void)
{
    if (browser.pid > 0)
        write_all(browser.to, "\n", 1);
    helper_close(&browser);
}
