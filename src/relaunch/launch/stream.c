#include "relaunch/launch/stream.h"

#include "util/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 18, PIPE_BYTES = 1 << 20, AHEAD_MAX = 8 << 20 };

/*
 * The descriptor and its flags are shared with other processes. For a pipe or a terminal, we open it a second time, so
 * that only our own opening is non-blocking. For a file, which has a shared position, we use the descriptor that we
 * were given.
 */
static void choose_way(struct stream *s)
{
    char name[64];
    struct stat st;

    s->own_to = -1;
    s->way = s->to < 0 || fstat(s->to, &st) != 0 ? STREAM_NOWHERE : STREAM_FILE;
    if (s->way == STREAM_NOWHERE || (!S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode) && !isatty(s->to)))
        return;
    s->way = S_ISSOCK(st.st_mode) ? STREAM_SOCKET : STREAM_NONBLOCKING;
    if (s->way == STREAM_SOCKET)
        return;
    snprintf(name, sizeof name, "/proc/self/fd/%d", s->to);
    s->own_to = open(name, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (s->own_to < 0)
        s->way = STREAM_CAREFULLY;
}

void stream_begin(struct stream *s, int from, int file, int to)
{
    *s = (struct stream){.from = from, .file = file, .to = to};
    choose_way(s);
    /* A larger pipe means fewer turns for a program that writes much. */
    if (from >= 0)
        fcntl(from, F_SETPIPE_SZ, PIPE_BYTES);
}

void stream_wants(const struct stream *s, struct pollfd fds[2])
{
    bool waits = s->waiting.n > 0, reads = s->waiting.n < (s->ahead ? AHEAD_MAX : 1);

    fds[0] = (struct pollfd){.fd = reads ? s->from : -1, .events = POLLIN};
    fds[1] = (struct pollfd){.fd = !waits ? -1 : s->own_to >= 0 ? s->own_to : s->to, .events = POLLOUT};
}

void stream_close_input(struct stream *s)
{
    if (s->from >= 0)
        close(s->from);
    s->from = -1;
}

/*
 * The reader of our output is gone: we stop reading, so that the program notices as it would without us. An output
 * that was closed from the beginning (`>&-`) is ignored.
 */
static void give_up(struct stream *s, int error)
{
    s->way = STREAM_NOWHERE;
    s->waiting.n = 0;
    if (error == EPIPE || error == EIO || error == ECONNRESET)
        stream_close_input(s);
    else if (error != EBADF)
        s->pass_error = error;
}

/* How many bytes were written; 0 if there is no room; -1 with errno. */
static ssize_t pass_some(const struct stream *s, const char *p, size_t n)
{
    struct pollfd room = {.fd = s->to, .events = POLLOUT};

    switch (s->way) {
    case STREAM_FILE:
        return write(s->to, p, n);
    case STREAM_NONBLOCKING:
        return write(s->own_to, p, n);
    case STREAM_SOCKET:
        return send(s->to, p, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    case STREAM_CAREFULLY:
        return poll(&room, 1, 0) == 1 ? write(s->to, p, n < PIPE_BUF ? n : PIPE_BUF) : 0;
    default:
        return (ssize_t)n;
    }
}

static void pass_on(struct stream *s)
{
    size_t done = 0;

    while (done < s->waiting.n) {
        ssize_t n = pass_some(s, s->waiting.p + done, s->waiting.n - done);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno != EAGAIN) {
            give_up(s, errno);
            return;
        }
        if (n <= 0)
            break;
        done += (size_t)n;
        s->unfinished = s->way != STREAM_NOWHERE && s->waiting.p[done - 1] != '\n';
    }
    buf_consume(&s->waiting, done);
}

static void keep(struct stream *s, const char *p, size_t n)
{
    int rc = s->error || s->file < 0 ? 0 : write_all(s->file, p, n);

    if (rc)
        s->error = -rc;
}

static void take(struct stream *s)
{
    char *room = buf_room(&s->waiting, BLOCK);
    ssize_t n = read(s->from, room, BLOCK);

    if (n > 0) {
        keep(s, room, (size_t)n);
        buf_added(&s->waiting, (size_t)n);
        pass_on(s);
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
        stream_close_input(s); /* on a terminal, EIO means that nobody has it open any more */
    }
}

void stream_turn(struct stream *s, const struct pollfd fds[2])
{
    if (fds[1].fd >= 0 && fds[1].revents)
        pass_on(s);
    if (fds[0].fd >= 0 && fds[0].revents && s->from >= 0)
        take(s);
}

void stream_end(struct stream *s)
{
    stream_close_input(s);
    if (s->file >= 0)
        close(s->file);
    if (s->own_to >= 0)
        close(s->own_to);
    s->file = s->own_to = -1;
    buf_free(&s->waiting);
}
