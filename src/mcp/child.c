#include "mcp/child.h"

#include "util/system/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 200, PIECE = 65536, ERRORS_MAX = 16384 };

static void become(const char *program, const char *const *args, const int *out, const int *err)
{
    const char *argv[ARGUMENTS_MAX + 2] = {program};
    int null = open("/dev/null", O_RDONLY);

    for (size_t i = 0; i < ARGUMENTS_MAX && args[i]; i++)
        argv[i + 1] = args[i];
    setpgid(0, 0);
    dup2(null, STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    close(out[0]);
    close(out[1]);
    close(err[0]);
    close(err[1]);
    execv(program, (char *const *)argv);
    _exit(127);
}

/* False at the end of the stream. Bytes beyond `max` are read and dropped, so that the writer is not blocked. */
static bool take(int fd, struct buf *to, size_t max, bool *cut)
{
    char piece[PIECE];
    ssize_t n = read(fd, piece, sizeof piece);
    size_t fits;

    if (n < 0 && errno == EINTR)
        return true;
    if (n <= 0)
        return false;
    fits = max > to->n ? max - to->n : 0;
    *cut |= (size_t)n > fits;
    buf_add(to, piece, (size_t)n < fits ? (size_t)n : fits);
    return true;
}

static void read_both(int out_fd, int err_fd, size_t max, int64_t deadline, struct child_output *out)
{
    struct pollfd fds[2] = {{.fd = out_fd, .events = POLLIN}, {.fd = err_fd, .events = POLLIN}};
    bool ignored = false;

    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        int64_t left = deadline - clock_ms();

        if (left <= 0) {
            out->timed_out = true;
            return;
        }
        if (poll(fds, 2, left > 1000 ? 1000 : (int)left) < 0 && errno != EINTR)
            return;
        if (fds[0].fd >= 0 && fds[0].revents && !take(out_fd, &out->out, max, &out->cut))
            fds[0].fd = -1;
        if (fds[1].fd >= 0 && fds[1].revents && !take(err_fd, &out->err, ERRORS_MAX, &ignored))
            fds[1].fd = -1;
    }
}

static void wait_for(pid_t child, struct child_output *out)
{
    int status = 0;

    if (out->timed_out)
        kill(-child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    out->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int make_pipe(int *ends)
{
    if (pipe(ends))
        return -errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

int child_run(const char *program, const char *const *args, size_t max, unsigned seconds, struct child_output *out)
{
    int out_ends[2], err_ends[2];
    int rc = make_pipe(out_ends);
    pid_t child;

    *out = (struct child_output){.status = -1};
    if (rc)
        return rc;
    rc = make_pipe(err_ends);
    if (rc) {
        close(out_ends[0]);
        close(out_ends[1]);
        return rc;
    }
    child = fork();
    if (child == 0)
        become(program, args, out_ends, err_ends);
    close(out_ends[1]);
    close(err_ends[1]);
    if (child != -1) {
        setpgid(child, child);
        read_both(out_ends[0], err_ends[0], max, clock_ms() + (int64_t)seconds * 1000, out);
        wait_for(child, out);
    }
    close(out_ends[0]);
    close(err_ends[0]);
    return child < 0 ? -EAGAIN : 0;
}

void child_output_free(struct child_output *out)
{
    buf_free(&out->out);
    buf_free(&out->err);
}
