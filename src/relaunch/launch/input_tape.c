#include "relaunch/launch/input_tape.h"

#include "util/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

void tape_begin(struct input_tape *t)
{
    struct stat st;

    *t = (struct input_tape){.kept = -1, .to = -1};
    t->of_terminal = isatty(STDIN_FILENO) != 0;
    if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode)) {
        t->of_file = true;
        t->start = lseek(STDIN_FILENO, 0, SEEK_CUR);
    }
}

static int open_at(const char *path, int64_t start)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return -errno;
    if (start > 0)
        lseek(fd, start, SEEK_SET);
    return fd;
}

/* Once all input is known, it is given as a file; until then, through a pipe as it arrives. */
static int next_of_pipe(struct input_tape *t)
{
    char name[64];
    int ends[2];

    if (t->kept < 0)
        t->kept = temp_file();
    if (t->kept < 0)
        return t->kept;
    t->at = 0;
    if (t->whole) {
        snprintf(name, sizeof name, "/proc/self/fd/%d", t->kept);
        return open_at(name, 0);
    }
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -errno;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    t->to = ends[1];
    return ends[0];
}

int tape_next(struct input_tape *t)
{
    int fd;

    if (t->of_terminal)
        return open_at("/dev/null", 0);
    if (t->of_file) {
        fd = open_at("/proc/self/fd/0", t->start);
        if (fd >= 0)
            return fd;
        t->of_file = false; /* someone else's file, which cannot be opened again */
    }
    return next_of_pipe(t);
}

void tape_wants(const struct input_tape *t, struct pollfd fds[2])
{
    bool behind = t->at < t->size;

    fds[0] = (struct pollfd){.fd = t->to < 0 || behind || t->whole ? -1 : STDIN_FILENO, .events = POLLIN};
    /* Even if there is nothing to write, this shows when the program has closed its end. */
    fds[1] = (struct pollfd){.fd = t->to, .events = behind ? POLLOUT : 0};
}

static void close_pipe(struct input_tape *t)
{
    if (t->to >= 0)
        close(t->to);
    t->to = -1;
}

static void read_on(struct input_tape *t)
{
    char block[BLOCK];
    ssize_t n = read(STDIN_FILENO, block, sizeof block);

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    t->whole = n <= 0;
    if (n > 0 && write_at(t->kept, block, (size_t)n, t->size) == 0)
        t->size += (uint64_t)n;
}

static void give(struct input_tape *t)
{
    char block[BLOCK];
    ssize_t n = read_at(t->kept, block, sizeof block, t->at), given = n > 0 ? write(t->to, block, (size_t)n) : 0;

    if (given > 0)
        t->at += (uint64_t)given;
    else if (given < 0 && errno != EAGAIN && errno != EINTR)
        close_pipe(t);
}

void tape_turn(struct input_tape *t, const struct pollfd fds[2])
{
    if (t->to < 0)
        return;
    if (fds[0].fd >= 0 && fds[0].revents)
        read_on(t);
    if (fds[1].revents & (POLLERR | POLLHUP))
        close_pipe(t);
    else if (t->at < t->size)
        give(t);
    if (t->whole && t->at == t->size)
        close_pipe(t);
}

void tape_rest(struct input_tape *t)
{
    close_pipe(t);
}

void tape_end(struct input_tape *t)
{
    tape_rest(t);
    if (t->kept >= 0)
        close(t->kept);
    t->kept = -1;
}
