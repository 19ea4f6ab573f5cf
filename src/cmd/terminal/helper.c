#include "cmd/terminal/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* False if the other end was closed without a byte. */
static bool was_woken(int from)
{
    struct pollfd fd = {.fd = from, .events = POLLIN};

    while (poll(&fd, 1, -1) < 0)
        if (errno != EINTR)
            return false;
    return fd.revents & POLLIN;
}

bool helper_begin(struct helper *h, int *from)
{
    int ends[2];

    *h = (struct helper){-1, -1};
    if (pipe(ends))
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    h->pid = fork();
    if (h->pid == 0) {
        close(ends[1]);
        signal(SIGPIPE, SIG_DFL);
        if (!was_woken(ends[0]))
            _exit(0);
        *from = ends[0];
        return true;
    }
    close(ends[0]);
    h->to = ends[1];
    if (h->pid < 0)
        helper_close(h);
    return false;
}

void helper_close(struct helper *h)
{
    if (h->to >= 0)
        close(h->to);
    h->to = -1;
}
