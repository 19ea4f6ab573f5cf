/* Ranks that hand over their outputs: which notes are taken, where what they write is stored, what cannot be. */
#include "temp.h"

#include "relaunch/launch/rank_streams.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct rank_streams begin(struct arena *a, const char *dir)
{
    struct rank_streams r = {.arena = a};

    rank_streams_begin(&r, temp_path("socket"), dir, -1, -1);
    assert_true(r.socket >= 0);
    return r;
}

static void hand_over(int to, const char *note, int fd)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec part = {(void *)note, strlen(note)};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};

    if (fd >= 0) {
        struct cmsghdr *c;

        m.msg_control = control.bytes;
        m.msg_controllen = sizeof control.bytes;
        c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(c), &fd, sizeof fd);
    }
    assert_int_equal(sendmsg(to, &m, 0), (ssize_t)strlen(note));
}

/* A rank that says so, with the end of a pipe into which it has written `text`. */
static void from_rank(struct rank_streams *r, const char *note, const char *text)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int rank = socket(AF_UNIX, SOCK_SEQPACKET, 0), ends[2];

    snprintf(name.sun_path, sizeof name.sun_path, "%s", r->path);
    assert_int_equal(connect(rank, (struct sockaddr *)&name, sizeof name), 0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
    hand_over(rank, note, ends[0]);
    close(ends[0]);
    close(ends[1]);
    close(rank);
    rank_streams_accept(r);
}

static void read_all(struct rank_streams *r)
{
    vec_each(struct rank_stream, s, &r->list) while (s->stream.from >= 0)
    {
        struct pollfd fds[2];

        stream_wants(&s->stream, fds);
        poll(fds, 2, 1000);
        stream_turn(&s->stream, fds);
    }
}

static void stored(void **state)
{
    struct arena *a = arena_new();
    struct rank_streams r = begin(a, temp_path("ranks"));

    (void)state;
    assert_true(rank_streams_are_closed(&r));
    from_rank(&r, "0 0 1", "out of 0\n");
    from_rank(&r, "3 1 2", "err of 3\n");
    from_rank(&r, "3 1 2", "and more\n");
    assert_int_equal(r.list.n, 3);
    assert_false(rank_streams_are_closed(&r));
    read_all(&r);
    assert_true(rank_streams_are_closed(&r) && !rank_streams_wait(&r));
    rank_streams_end(&r);
    assert_int_equal(r.error, 0);
    assert_false(temp_exists(temp_path("socket")));
    assert_str(temp_read(a, temp_path("ranks/attempt_0/0/stdout.log")), "out of 0\n");
    assert_str(temp_read(a, temp_path("ranks/attempt_1/3/stderr.log")), "err of 3\nand more\n");
    arena_free(a);
}

static void refused(void **state)
{
    static const char *const notes[] = {"x", "0", "0 0", "0 0 0", "0 0 3", "0 0 1 ", "-1 0 1", " 0 0 1", "0  0 1"};
    struct arena *a = arena_new();
    struct rank_streams r = begin(a, temp_path("none"));

    (void)state;
    for (size_t i = 0; i < COUNT(notes); i++)
        from_rank(&r, notes[i], "text");
    assert_int_equal(r.list.n, 0);
    assert_false(temp_exists(temp_path("none")));
    rank_streams_end(&r);
    arena_free(a);
}

/* The output is read all the same, so that the rank does not wait for it. */
static void cannot_be_stored(void **state)
{
    struct arena *a = arena_new();
    struct rank_streams r = begin(a, temp_write("file", STR("in the way")));

    (void)state;
    from_rank(&r, "0 0 1", "text");
    assert_int_equal(r.error, ENOTDIR);
    read_all(&r);
    rank_streams_end(&r);
    assert_int_equal(r.error, ENOTDIR);
    arena_free(a);
}

/* Only writing fails, of one of several; what the others wrote is stored. */
static void cannot_be_written(void **state)
{
    static const struct {
        const char *first, *second;
        int error;
    } rows[] = {{"", "", 0}, {"short", "", 0}, {"a long text", "", EFBIG}, {"", "a long text", EFBIG}};
    struct rlimit before, small;

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 5, .rlim_max = before.rlim_max};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena *a = arena_new();
        struct rank_streams r = begin(a, arena_printf(a, "%s/small%zu", temp_dir(), i).p);

        from_rank(&r, "0 0 1", rows[i].first);
        from_rank(&r, "1 0 2", rows[i].second);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        read_all(&r);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        rank_streams_end(&r);
        assert_int_equal(r.error, rows[i].error);
        arena_free(a);
    }
}

static void names_of_sockets(void **state)
{
    struct arena *a = arena_new();
    struct rank_streams r = {.arena = a};
    const int fds[2] = {0, 1};

    (void)state;
    rank_streams_begin(&r, arena_printf(a, "/tmp/%200s", "").p, temp_dir(), -1, -1);
    assert_true(r.socket < 0);
    assert_null(rank_streams_variable(&r, fds));
    rank_streams_begin(&r, "/there/is/none", temp_dir(), -1, -1);
    assert_true(r.socket < 0);
    r = begin(a, temp_dir());
    assert_true(str_ends(str_of(rank_streams_variable(&r, fds)), str_of(r.path)));
    rank_streams_end(&r);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stored),
        cmocka_unit_test(refused),
        cmocka_unit_test(cannot_be_stored),
        cmocka_unit_test(cannot_be_written),
        cmocka_unit_test(names_of_sockets),
    };

    return RUN(tests);
}
