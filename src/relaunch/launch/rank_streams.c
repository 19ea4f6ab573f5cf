#include "relaunch/launch/rank_streams.h"

#include "relaunch/launch/terminal.h"
#include "util/system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

enum { RANKS_WAITING = 64, NOTE_MAX = 128, STREAMS_MAX = 4096, PATIENCE_US = 500000 };

void rank_streams_begin(struct rank_streams *r, const char *path, const char *dir, int out, int err)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    size_t n = path ? strlen(path) : sizeof name.sun_path;

    r->dir = dir;
    r->to[0] = out;
    r->to[1] = err;
    r->socket = -1;
    if (n >= sizeof name.sun_path)
        return;
    memcpy(name.sun_path, path, n + 1);
    unlink(path);
    r->socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (r->socket >= 0 && bind(r->socket, (struct sockaddr *)&name, sizeof name) == 0 &&
        listen(r->socket, RANKS_WAITING) == 0) {
        r->path = path;
    } else if (r->socket >= 0) {
        close(r->socket);
        r->socket = -1;
    }
}

const char *rank_streams_variable(const struct rank_streams *r, const int fds[2])
{
    struct stat out, err;

    if (!r->path || fstat(fds[0], &out) || fstat(fds[1], &err))
        return NULL;
    return arena_printf(r->arena, "PT2TRACE_RANKS=%llu:%llu %llu:%llu %s", (unsigned long long)out.st_dev,
                        (unsigned long long)out.st_ino, (unsigned long long)err.st_dev, (unsigned long long)err.st_ino,
                        r->path)
        .p;
}

/* --- what a rank hands over --------------------------------------------------------------------------------------- */

/* "RANK ATTEMPT WHICH", where WHICH is 1 or 2. */
struct note {
    uint64_t rank, attempt, which;
};

static bool read_note(struct str text, struct note *out)
{
    return str_take_u64(&text, &out->rank) && str_consume(&text, STR(" ")) && str_take_u64(&text, &out->attempt) &&
           str_consume(&text, STR(" ")) && str_u64(text, &out->which) && out->which >= 1 && out->which <= 2;
}

/* The descriptor that came with the note; -1 if there was none. */
static int receive(int from, struct note *note)
{
    char text[NOTE_MAX], control[CMSG_SPACE(sizeof(int))];
    struct iovec part = {text, sizeof text};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t n = recvmsg(from, &m, MSG_CMSG_CLOEXEC);
    const struct cmsghdr *c = n > 0 ? CMSG_FIRSTHDR(&m) : NULL;
    int fd = -1;

    if (c && c->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(c), sizeof fd);
    if (fd >= 0 && !read_note((struct str){text, (size_t)n}, note)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static int open_file(struct rank_streams *r, const struct note *note)
{
    struct str dir = arena_printf(r->arena, "%s/attempt_%llu/%llu", r->dir, (unsigned long long)note->attempt,
                                  (unsigned long long)note->rank);
    int rc = make_dirs(dir.p), fd = -1;

    if (rc == 0) {
        const char *path = arena_printf(r->arena, "%s/%s.log", dir.p, note->which == 1 ? "stdout" : "stderr").p;

        fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
        rc = fd < 0 ? -errno : 0;
    }
    if (rc)
        r->error = -rc;
    return fd;
}

static void add(struct rank_streams *r, int fd, const struct note *note)
{
    struct rank_stream *s = vec_add(r->arena, &r->list);

    s->like = (int)note->which;
    if (isatty(fd))
        terminal_adopt(fd, s->like);
    stream_begin(&s->stream, fd, open_file(r, note), r->to[note->which - 1]);
}

void rank_streams_accept(struct rank_streams *r)
{
    const struct timeval patience = {.tv_usec = PATIENCE_US};
    int from = accept4(r->socket, NULL, NULL, SOCK_CLOEXEC);
    struct note note;
    int fd;

    if (from < 0)
        return;
    setsockopt(from, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    while ((fd = receive(from, &note)) >= 0)
        if (r->list.n < STREAMS_MAX)
            add(r, fd, &note);
        else
            close(fd);
    close(from);
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

void rank_streams_resize(struct rank_streams *r)
{
    vec_each(struct rank_stream, s, &r->list) if (s->stream.from >= 0 && isatty(s->stream.from))
        terminal_resize(s->stream.from, s->like);
}

bool rank_streams_are_closed(const struct rank_streams *r)
{
    vec_each(struct rank_stream, s, &r->list) if (s->stream.from >= 0) return false;
    return true;
}

bool rank_streams_wait(const struct rank_streams *r)
{
    vec_each(struct rank_stream, s, &r->list) if (s->stream.waiting.n) return true;
    return false;
}

void rank_streams_end(struct rank_streams *r)
{
    vec_each(struct rank_stream, s, &r->list)
    {
        r->error = s->stream.error ? s->stream.error : r->error;
        stream_end(&s->stream);
    }
    if (r->socket >= 0) {
        close(r->socket);
        unlink(r->path);
    }
    r->socket = -1;
}
