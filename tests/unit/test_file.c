#include "temp.h"

#include "util/system/file.h"
#include "util/system/signals.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>

/* How many entries of the directory begin with `prefix`. */
static unsigned count_files(const char *dir, const char *prefix)
{
    DIR *d = opendir(dir);
    const struct dirent *e;
    unsigned n = 0;

    assert_non_null(d);
    while ((e = readdir(d)) != NULL)
        n += str_starts(str_of(e->d_name), str_of(prefix));
    closedir(d);
    return n;
}

static void reads_at(void **state)
{
    char got[16];
    int fd = open(temp_write("digits", STR("0123456789")), O_RDONLY);

    (void)state;
    assert_int_equal(read_at(fd, got, 3, 0), 3);
    assert_memory_equal(got, "012", 3);
    assert_int_equal(read_at(fd, got, 16, 7), 3);
    assert_memory_equal(got, "789", 3);
    assert_int_equal(read_at(fd, got, 16, 10), 0);
    assert_int_equal(read_at(fd, got, 16, 1ull << 40), 0);
    assert_int_equal(read_at(fd, got, 16, UINT64_MAX), -EINVAL);
    close(fd);
    assert_int_equal(read_at(-1, got, 1, 0), -EBADF);
}

static void nothing(int signal)
{
    (void)signal;
}

/* A signal after each few milliseconds, while a slow reader empties a pipe: all of it arrives, once. */
static void writes_in_spite_of_signals(void **state)
{
    static char sent[1 << 20], got[sizeof sent];
    struct sigaction action = {.sa_handler = nothing}, before;
    const struct itimerval often = {{0, 2000}, {0, 2000}}, never = {0};
    int ends[2], status;
    size_t n = 0;
    pid_t writer;

    (void)state;
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (char)(i * 31 >> 8);
    assert_int_equal(pipe(ends), 0);
    writer = fork();
    if (writer == 0) {
        sigaction(SIGALRM, &action, &before);
        setitimer(ITIMER_REAL, &often, NULL);
        n = (size_t)write_all(ends[1], sent, sizeof sent);
        setitimer(ITIMER_REAL, &never, NULL);
        _exit(n != 0);
    }
    close(ends[1]);
    for (ssize_t k; (k = read(ends[0], got + n, sizeof got - n < 60000 ? sizeof got - n : 60000)) > 0; n += (size_t)k)
        usleep(3000);
    close(ends[0]);
    assert_int_equal(waitpid(writer, &status, 0), writer);
    assert_int_equal(status, 0);
    assert_int_equal(n, sizeof got);
    assert_memory_equal(got, sent, sizeof got);
}

static void writes_at(void **state)
{
    struct arena *a = arena_new();
    const char *path = temp_write("at", STR("0123456789"));
    int fd = open(path, O_RDWR);

    (void)state;
    assert_int_equal(write_at(fd, "abc", 3, 8), 0);
    assert_int_equal(write_at(fd, "xy", 2, 0), 0);
    assert_int_equal(write_all(fd, "z", 1), 0); /* where the file was all the time */
    assert_int_equal(write_all(fd, "", 0), 0);
    assert_str(temp_read(a, path), "zy234567abc");
    close(fd);
    assert_int_equal(write_at(-1, "a", 1, 0), -EBADF);
    assert_int_equal(write_all(-1, "a", 1), -EBADF);
    arena_free(a);
}

/* A pipe with a name, into which a child writes n bytes. */
static int read_fifo(size_t n, size_t max, struct buf *b)
{
    static char bytes[20000];
    const char *path = temp_path("fifo");
    pid_t writer;
    int rc;

    assert_int_equal(mkfifo(path, 0600), 0);
    writer = fork();
    if (writer == 0) {
        signal(SIGPIPE, SIG_DFL);
        _exit(write(open(path, O_WRONLY), bytes, n) != (ssize_t)n);
    }
    b->n = 0;
    rc = read_file(path, max, b);
    waitpid(writer, NULL, 0);
    unlink(path);
    return rc;
}

static void read_file_limits(void **state)
{
    struct buf b = {0};
    const char *path = temp_write("small", STR("0123456789"));

    (void)state;
    buf_str(&b, STR("before "));
    assert_int_equal(read_file(path, 10, &b), 0);
    assert_str(buf_view(&b), "before 0123456789");
    assert_int_equal(read_file(path, 9, &b), -EFBIG);
    b.n = 0;
    assert_int_equal(read_file(temp_write("empty", STR("")), 10, &b), 0);
    assert_int_equal(b.n, 0);
    assert_int_equal(read_file(temp_path("missing"), 10, &b), -ENOENT);
    assert_int_equal(read_file(temp_dir(), 10, &b), -EISDIR);
    assert_int_equal(read_fifo(10000, 10000, &b), 0); /* nothing says beforehand how much comes out of a pipe */
    assert_int_equal(b.n, 10000);
    assert_int_equal(read_fifo(10001, 10000, &b), -EFBIG);
    buf_free(&b);
}

/* Of sizes around those of the pieces in which a file is read: all of it, or nothing. */
static void read_file_sizes(void **state)
{
    static const size_t sizes[] = {1, 2, 4095, 4096, 4097, 8191, 8192, 8193, 20000};
    static char bytes[20000];
    struct buf b = {0};

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 31 >> 3);
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct str all = {bytes, sizes[i]};
        const char *path = temp_write("sized", all);

        for (int more = -1; more <= 1; more++) {
            b.n = 0;
            assert_int_equal(read_file(path, sizes[i] + (size_t)more, &b), more < 0 ? -EFBIG : 0);
            assert_same(buf_view(&b), more < 0 ? STR("") : all);
        }
    }
    buf_free(&b);
}

static void temp_file_has_no_name(void **state)
{
    const char *dir = temp_path("tmpdir"), *before = getenv("TMPDIR");
    char *keep = before ? strdup(before) : NULL, got[5];
    int fd;

    (void)state;
    assert_int_equal(mkdir(dir, 0700), 0);
    setenv("TMPDIR", dir, 1);
    fd = temp_file();
    assert_true(fd >= 0);
    assert_int_equal(count_files(dir, "pt2trace"), 0);
    assert_int_equal(count_files(dir, "#"), 0);
    assert_int_equal(write_all(fd, "hello", 5), 0);
    assert_int_equal(read_at(fd, got, 5, 0), 5);
    assert_memory_equal(got, "hello", 5);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    close(fd);
    setenv("TMPDIR", temp_path("nowhere"), 1);
    assert_int_equal(temp_file(), -ENOENT);
    if (keep)
        setenv("TMPDIR", keep, 1);
    else
        unsetenv("TMPDIR");
    free(keep);
}

static void makes_directories(void **state)
{
    char path[600];

    (void)state;
    snprintf(path, sizeof path, "%s/a/b//c/", temp_dir());
    assert_int_equal(make_dirs(path), 0);
    assert_true(temp_exists(temp_path("a/b/c")));
    assert_int_equal(make_dirs(path), 0);
    assert_int_equal(make_dirs("/"), 0);
    assert_int_equal(make_dirs("."), 0);
    assert_int_equal(make_dirs(""), -ENOENT);
    temp_write("a/file", STR(""));
    assert_int_equal(make_dirs(temp_path("a/file/d")), -ENOTDIR);
    assert_int_equal(make_dirs(temp_path("a/file")), -ENOTDIR);
}

static void outfile_appears_whole(void **state)
{
    struct arena *a = arena_new();
    const char *dir = temp_path("out"), *path = temp_path("out/report");
    char big[300000];
    struct outfile o;
    struct stat st;

    (void)state;
    memset(big, 'b', sizeof big);
    assert_int_equal(mkdir(dir, 0777), 0);
    temp_write("out/report", STR("old"));
    umask(027);
    assert_int_equal(outfile_open(&o, path), 0);
    outfile_write(&o, STR("new "));
    outfile_write(&o, (struct str){big, sizeof big}); /* over the buffer: written through */
    outfile_write(&o, STR(" end"));
    assert_str(temp_read(a, path), "old");
    assert_int_equal(count_files(dir, "report"), 2);
    assert_int_equal(outfile_commit(&o), 0);
    assert_int_equal(count_files(dir, "report"), 1);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_size, sizeof big + 8);
    assert_int_equal(o.size, sizeof big + 8);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_true(str_starts(temp_read(a, path), STR("new bbb")));
    assert_true(str_ends(temp_read(a, path), STR("bbb end")));
    umask(022);
    arena_free(a);
}

/* Pieces of all sizes come out in order, whether they were buffered or written through. */
static void outfile_keeps_the_order(void **state)
{
    struct arena *a = arena_new();
    struct buf expected = {0};
    struct outfile o;
    uint64_t seed = 2;

    (void)state;
    assert_int_equal(outfile_open(&o, temp_path("out/order")), 0);
    for (int i = 0; i < 60; i++) {
        size_t n = (size_t)(test_random(&seed) % (i % 3 ? 300000 : 50));
        char *p = memset(arena_alloc(a, n), 'a' + i % 26, n);

        outfile_write(&o, (struct str){p, n});
        buf_add(&expected, p, n);
    }
    assert_int_equal(o.size, expected.n);
    assert_int_equal(outfile_commit(&o), 0);
    assert_true(str_eq(temp_read(a, temp_path("out/order")), buf_view(&expected)));
    buf_free(&expected);
    arena_free(a);
}

static void outfile_given_up(void **state)
{
    struct arena *a = arena_new();
    const char *path = temp_write("out/kept", STR("old"));
    struct outfile o;

    (void)state;
    assert_int_equal(outfile_open(&o, path), 0);
    outfile_write(&o, STR("new"));
    outfile_abort(&o);
    assert_str(temp_read(a, path), "old");
    assert_int_equal(count_files(temp_path("out"), "kept"), 1);
    arena_free(a);
}

static void outfile_that_cannot_be_written(void **state)
{
    struct outfile o;

    (void)state;
    assert_int_equal(outfile_open(&o, temp_path("nowhere/report")), -ENOENT);
    /* A directory in its place: the rename fails, nothing is left. */
    assert_int_equal(mkdir(temp_path("out/taken"), 0777), 0);
    assert_int_equal(outfile_open(&o, temp_path("out/taken")), 0);
    outfile_write(&o, STR("x"));
    assert_int_equal(outfile_commit(&o), -EISDIR);
    assert_int_equal(count_files(temp_path("out"), "taken"), 1);
}

/* The first failed write is what commit reports, and the old file stays. */
static void outfile_on_a_full_disk(void **state)
{
    struct arena *a = arena_new();
    const char *path = temp_write("out/full", STR("old"));
    struct rlimit before, small;
    char big[200000] = {0};
    struct outfile o;

    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(outfile_open(&o, path), 0);
    for (int i = 0; i < 5; i++)
        outfile_write(&o, (struct str){big, sizeof big});
    outfile_write(&o, STR("more"));
    assert_int_equal(outfile_commit(&o), -EFBIG);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_str(temp_read(a, path), "old");
    assert_int_equal(count_files(temp_path("out"), "full"), 1);
    arena_free(a);
}

/* A child opens outfiles, forgets one of them, says so and waits for the signal. */
static void wait_to_be_killed(int ready)
{
    struct outfile o, other, forgotten;

    /* However the tests were started: nohup and `&` have children ignore signals. */
    signal(SIGINT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    signals_clean_up();
    if (outfile_open(&o, temp_path("out/killed")) != 0 || outfile_open(&other, temp_path("out/killed2")) != 0 ||
        outfile_open(&forgotten, temp_path("out/forgotten")) != 0)
        _exit(9);
    signals_forget_below(temp_path("out/forg"));
    outfile_write(&o, STR("half"));
    if (write(ready, "", 1) != 1)
        _exit(9);
    for (;;)
        pause();
}

static void signals_remove_temporary_files(void **state)
{
    static const int sigs[] = {SIGINT, SIGTERM, SIGHUP};

    (void)state;
    temp_write("out/killed", STR("old"));
    for (size_t i = 0; i < COUNT(sigs); i++) {
        int ready[2], status;
        char byte;
        pid_t child;

        assert_int_equal(pipe(ready), 0);
        child = fork();
        if (child == 0)
            wait_to_be_killed(ready[1]);
        assert_int_equal(read(ready[0], &byte, 1), 1);
        assert_int_equal(count_files(temp_path("out"), "killed"), 3);
        kill(child, sigs[i]);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), sigs[i]);
        assert_int_equal(count_files(temp_path("out"), "killed"), 1);
        assert_int_equal(count_files(temp_path("out"), "forgotten"), i + 1);
        close(ready[0]);
        close(ready[1]);
    }
}

/* Under nohup, and for SIGINT in the background of a shell, a signal is ignored: it must stay so. */
static void ignored_signals_stay_ignored(void **state)
{
    int status;
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        signal(SIGHUP, SIG_IGN);
        signals_clean_up();
        raise(SIGHUP);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
}

static void sinks(void **state)
{
    struct arena *a = arena_new();
    struct buf b = {0};
    struct sink to_buf = sink_to_buf(&b), to_file;
    struct outfile o;

    (void)state;
    sink_str(&to_buf, STR("abc"));
    sink_str(&to_buf, STR("de"));
    assert_str(buf_view(&b), "abcde");
    assert_int_equal(to_buf.bytes, 5);
    assert_int_equal(outfile_open(&o, temp_path("out/sink")), 0);
    to_file = sink_to_outfile(&o);
    sink_str(&to_file, STR("xyz"));
    assert_int_equal(to_file.bytes, 3);
    assert_int_equal(outfile_commit(&o), 0);
    assert_str(temp_read(a, temp_path("out/sink")), "xyz");
    buf_free(&b);
    arena_free(a);
}

static mode_t mode_of(const char *path)
{
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

/* A new file is its owner's alone. What others use, such as a pipe or /dev/null, keeps its mode. */
static void outfile_made_private(void **state)
{
    const char *pipe = temp_path("shared-pipe"), *file = temp_path("private");
    struct outfile o;
    int reader;

    (void)state;
    assert_int_equal(outfile_open(&o, file), 0);
    outfile_make_private(&o);
    assert_int_equal(outfile_commit(&o), 0);
    assert_int_equal(mode_of(file), 0600);
    assert_int_equal(mkfifo(pipe, 0644), 0);
    assert_int_equal(chmod(pipe, 0644), 0);
    reader = open(pipe, O_RDWR | O_CLOEXEC);
    assert_true(reader >= 0);
    assert_int_equal(outfile_open(&o, pipe), 0);
    outfile_make_private(&o);
    outfile_write(&o, STR("x"));
    assert_int_equal(outfile_commit(&o), 0);
    assert_int_equal(mode_of(pipe), 0644);
    close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_at),
        cmocka_unit_test(writes_in_spite_of_signals),
        cmocka_unit_test(writes_at),
        cmocka_unit_test(read_file_limits),
        cmocka_unit_test(read_file_sizes),
        cmocka_unit_test(temp_file_has_no_name),
        cmocka_unit_test(makes_directories),
        cmocka_unit_test(outfile_appears_whole),
        cmocka_unit_test(outfile_keeps_the_order),
        cmocka_unit_test(outfile_given_up),
        cmocka_unit_test(outfile_that_cannot_be_written),
        cmocka_unit_test(outfile_on_a_full_disk),
        cmocka_unit_test(signals_remove_temporary_files),
        cmocka_unit_test(ignored_signals_stay_ignored),
        cmocka_unit_test(outfile_made_private),
        cmocka_unit_test(sinks),
    };

    return RUN(tests);
}
