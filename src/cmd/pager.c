#include "cmd/pager.h"

#include "util/file.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

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
    signal(SIGPIPE, SIG_DFL);
    setenv("LESS", "FRX", 0);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

bool pager_show(int fd, struct str text)
{
    const char *command = getenv("PAGER");
    int ends[2], status = 0;
    pid_t child;

    if (command && (*command == '\0' || strcmp(command, "cat") == 0))
        return false;
    if (!isatty(fd) || !isatty(STDIN_FILENO) || !is_longer(fd, text) || pipe(ends))
        return false;
    child = fork();
    if (child == 0) {
        close(ends[1]);
        become_pager(command ? command : "less -R", ends[0]);
    }
    close(ends[0]);
    if (child > 0)
        write_all(ends[1], text.p, text.n); /* who quits early has seen enough */
    close(ends[1]);
    if (child < 0)
        return false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return !(WIFEXITED(status) && (WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127));
}
