#include "cmd/terminal/pager.h"

#include "cmd/terminal/helper.h"
#include "util/system/file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct helper pager = {-1, -1};

static bool is_longer(int fd, struct str text)
{
    struct winsize size = {0};
    size_t lines = 0;

    if (ioctl(fd, TIOCGWINSZ, &size) || size.ws_row == 0)
        return false;
    for (size_t i = 0; i < text.n; i++)
        lines += text.p[i] == '\n';
    return lines >= size.ws_row;
}

static void become_pager(const char *command, int from)
{
    dup2(from, STDIN_FILENO);
    setenv("LESS", "FRX", 0);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

void pager_prepare(int fd)
{
    const char *command = getenv("PAGER");
    int from;

    if (command && (*command == '\0' || strcmp(command, "cat") == 0))
        return;
    if (isatty(fd) && isatty(STDIN_FILENO) && helper_begin(&pager, &from))
        become_pager(command ? command : "less -R", from);
}

bool pager_show(int fd, struct str text)
{
    int status = 0;

    if (pager.pid < 0 || !is_longer(fd, text))
        return false;
    write_all(pager.to, text.p, text.n); /* a user who quits early has seen enough */
    helper_close(&pager);
    while (waitpid(pager.pid, &status, 0) < 0 && errno == EINTR)
        ;
    return !(WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127));
}
