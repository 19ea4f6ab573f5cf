/* Standard input for several launches: what each of them reads, of a file, of a pipe and of a terminal. */
#include "temp.h"

#include "relaunch/launch/input_tape.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

/* Makes `fd` standard input; returns what it was. */
static int replace_input(int fd)
{
    int before = dup(STDIN_FILENO);

    assert_true(before > STDERR_FILENO);
    assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    close(fd);
    return before;
}

static void restore_input(int before)
{
    dup2(before, STDIN_FILENO);
    close(before);
}

/* One round of the loop that launches have. */
static void turn(struct input_tape *t)
{
    struct pollfd fds[2];

    tape_wants(t, fds);
    assert_true(poll(fds, 2, 1000) >= 0);
    tape_turn(t, fds);
}

/* What a launch reads until `n` bytes or the end. */
static struct str read_by_launch(struct arena *a, struct input_tape *t, size_t n)
{
    char *got = arena_alloc(a, n + 1);
    int fd = tape_next(t);
    size_t done = 0;

    assert_true(fd >= 0);
    assert_int_equal(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK), 0);
    while (done < n) {
        ssize_t k = read(fd, got + done, n - done);

        if (k == 0)
            break;
        if (k < 0 && errno == EAGAIN)
            turn(t);
        done += k > 0 ? (size_t)k : 0;
    }
    close(fd);
    tape_rest(t);
    assert_int_equal(t->to, -1);
    return (struct str){got, done};
}

/* The first reads a part, the next all, and the last after all is known. */
static void of_a_pipe(void **state)
{
    struct arena *a = arena_new();
    struct input_tape t;
    int ends[2], before, kept;
    struct pollfd fds[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "0123456789", 10), 10);
    before = replace_input(ends[0]);
    tape_begin(&t);
    assert_true(!t.of_file && !t.of_terminal && t.kept < 0 && t.to < 0);
    tape_wants(&t, fds);
    assert_true(fds[0].fd < 0 && fds[1].fd < 0); /* nothing is read before it is needed */
    assert_str(read_by_launch(a, &t, 4), "0123");
    assert_false(t.whole);
    assert_int_equal(write(ends[1], "abc", 3), 3);
    close(ends[1]);
    assert_str(read_by_launch(a, &t, 100), "0123456789abc");
    assert_true(t.whole);
    assert_int_equal(t.size, 13);
    assert_str(read_by_launch(a, &t, 100), "0123456789abc"); /* as a file */
    assert_int_equal(fcntl(t.kept, F_GETFD), FD_CLOEXEC);
    kept = t.kept;
    tape_end(&t);
    assert_int_equal(fcntl(kept, F_GETFD), -1);
    restore_input(before);
    arena_free(a);
}

/* What tape_turn is for: reading, giving, and the launch that closes its end. */
static void in_turns(void **state)
{
    struct input_tape t;
    struct pollfd fds[2];
    int ends[2], before, fd;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    before = replace_input(ends[0]);
    tape_begin(&t);
    fd = tape_next(&t);
    tape_wants(&t, fds);
    assert_int_equal(fds[0].fd, STDIN_FILENO);
    assert_int_equal(fds[0].events, POLLIN);
    assert_int_equal(fds[1].fd, t.to);
    assert_int_equal(fds[1].events, 0);
    fds[0].revents = fds[1].revents = 0;
    tape_turn(&t, fds); /* nothing happened */
    assert_true(t.to >= 0 && !t.whole && t.size == 0);

    assert_int_equal(write(ends[1], "xy", 2), 2);
    turn(&t);
    assert_int_equal(t.size, 2);
    assert_int_equal(t.at, 2);
    close(fd);
    assert_int_equal(write(ends[1], "z", 1), 1);
    turn(&t); /* the launch has closed its end */
    assert_int_equal(t.to, -1);
    tape_wants(&t, fds);
    assert_true(fds[0].fd < 0 && fds[1].fd < 0);
    tape_turn(&t, fds);
    tape_end(&t);
    close(ends[1]);
    restore_input(before);
}

/* More than a pipe holds: while the launch is behind, no more is read. */
static void behind(void **state)
{
    static char sent[300000];
    struct arena *a = arena_new();
    struct input_tape t;
    struct pollfd fds[2];
    int ends[2], before, fd;
    struct str got;
    pid_t writer;

    (void)state;
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (char)('a' + i % 26);
    assert_int_equal(pipe(ends), 0);
    writer = fork();
    if (writer == 0) {
        close(ends[0]);
        _exit(write(ends[1], sent, sizeof sent) != (ssize_t)sizeof sent);
    }
    close(ends[1]);
    before = replace_input(ends[0]);
    tape_begin(&t);
    fd = tape_next(&t);
    for (int i = 0; i < 20 && t.at == t.size; i++)
        turn(&t);
    assert_true(t.at < t.size);
    tape_wants(&t, fds);
    assert_true(fds[0].fd < 0 && fds[1].events == POLLOUT);
    close(fd);
    tape_rest(&t);
    got = read_by_launch(a, &t, sizeof sent + 1);
    assert_int_equal(got.n, sizeof sent);
    assert_memory_equal(got.p, sent, sizeof sent);
    tape_end(&t);
    restore_input(before);
    arena_free(a);
}

/* It begins where our own input stands. */
static void of_a_file(void **state)
{
    struct arena *a = arena_new();
    struct input_tape t;
    int before = replace_input(open(temp_write("in", STR("0123456789")), O_RDONLY));

    (void)state;
    lseek(STDIN_FILENO, 3, SEEK_SET);
    tape_begin(&t);
    assert_true(t.of_file);
    for (int i = 0; i < 2; i++)
        assert_str(read_by_launch(a, &t, 100), "3456789");
    assert_int_equal(lseek(STDIN_FILENO, 0, SEEK_CUR), 3);
    tape_end(&t);
    restore_input(before);
    arena_free(a);
}

static void of_a_terminal(void **state)
{
    struct arena *a = arena_new();
    struct input_tape t = {.of_terminal = true, .kept = -1, .to = -1};

    (void)state;
    assert_str(read_by_launch(a, &t, 100), "");
    tape_end(&t);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_pipe), cmocka_unit_test(in_turns),      cmocka_unit_test(behind),
        cmocka_unit_test(of_a_file), cmocka_unit_test(of_a_terminal),
    };

    return RUN(tests);
}
