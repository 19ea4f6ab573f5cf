#include "temp.h"
#include "gzip_text.h"

#include "digest/encode.h"
#include "input/limits.h"
#include "input/source.h"
#include "load/follow.h"
#include "load/load.h"

#include <errno.h>
#include <sys/wait.h>

/* usage: test_follow TRACE.log.gz..., real traces, which are written again piece by piece */
static const char *const *traces;
static size_t trace_count;

/* A run as it was read, as bytes. */
static void encode_run(struct buf *out, const char *path, struct follow *f)
{
    struct load_options options = {.unfinished = true, .follow = f};
    struct pool *pool = pool_new(1);
    struct load_error error;
    struct run *r = load_run(&path, 1, &options, pool, &error);

    assert_non_null(r);
    for (size_t i = 0; i < r->inputs.n; i++)
        encode_input(out, r->inputs.v[i]);
    run_free(r);
    pool_free(pool);
}

static void write_buf(int fd, const struct buf *b)
{
    for (size_t done = 0; done < b->n;) {
        ssize_t k = write(fd, b->p + done, b->n - done);

        if (k <= 0)
            _exit(9);
        done += (size_t)k;
    }
}

/* What a copy of the process makes of what was followed so far. */
static void encode_followed(struct buf *out, const char *path, struct follow *f)
{
    int ends[2], status;
    pid_t child;
    ssize_t k;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct buf bytes = {0};

        encode_run(&bytes, path, f);
        write_buf(ends[1], &bytes);
        _exit(0);
    }
    close(ends[1]);
    while ((k = read(ends[0], buf_room(out, 65536), 65536)) > 0)
        buf_added(out, (size_t)k);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* Following it so far gives the model that reading it gives, to the byte. */
static void check_same(struct follow *f, const char *path, size_t at)
{
    struct buf followed = {0}, read = {0};

    encode_followed(&followed, path, f);
    encode_run(&read, path, NULL);
    if (!str_eq(buf_view(&followed), buf_view(&read)))
        fail_msg("%s, its first %zu bytes: the model differs from the file's", path, at);
    buf_free(&followed);
    buf_free(&read);
}

static void unpack(struct buf *out, const char *path)
{
    struct source s;
    size_t k;

    assert_int_equal(source_open(&s, path, false), 0);
    while ((k = source_read(&s, buf_room(out, 65536), 65536)) > 0)
        buf_added(out, k);
    source_close(&s);
    assert_true(out->n > 0);
}

static void append(const char *path, struct str text)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT, 0600);

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text.p, text.n), text.n);
    close(fd);
}

/*
 * A trace is cut at the ends of lines, before them, in the first bytes of the next, and in the middle: where records,
 * their payloads and their prefixes end and begin. One line in `step` has such cuts.
 */
static void follow_in_pieces(struct str text, size_t step, const char *path)
{
    static const int around[] = {-1, 0, 1, 7, 60};
    const char *paths[] = {path};
    struct follow *f = follow_new(paths, 1);
    size_t at = 0, line = 0;

    append(path, STR(""));
    for (size_t i = 0; i < text.n; i++) {
        size_t to = i + 1;

        if (text.p[i] != '\n' || line++ % step)
            continue;
        to += (size_t)around[line / step % COUNT(around)];
        if (to <= at || to > text.n)
            continue;
        append(path, str_range(text.p + at, text.p + to));
        at = to;
        assert_true(follow_look(f).changed);
        check_same(f, path, at);
    }
    append(path, str_skip(text, at));
    assert_int_equal(follow_look(f).traces, 1);
    check_same(f, path, text.n);
    assert_false(follow_look(f).changed);
    follow_free(f);
}

static void real_traces(void **state)
{
    (void)state;
    assert_true(trace_count > 0);
    for (size_t i = 0; i < trace_count; i++) {
        struct buf text = {0};
        char name[32];

        snprintf(name, sizeof name, "trace%zu.log", i);
        unpack(&text, traces[i]);
        follow_in_pieces(buf_view(&text), i == 0 ? 3 : 17, temp_path(name));
        buf_free(&text);
    }
}

/* A file that was replaced, one that was emptied, and one that was rewritten with the same size. */
static void files_that_change(void **state)
{
    const char *path = temp_path("changing.log"), *paths[] = {path};
    struct follow *f = follow_new(paths, 1);
    struct buf text = {0};
    struct str half;

    (void)state;
    unpack(&text, traces[0]);
    half = str_take(buf_view(&text), text.n / 2);
    append(path, half);
    assert_int_equal(follow_look(f).traces, 1);

    assert_int_equal(rename(path, temp_path("changing.log.1")), 0);
    append(path, buf_view(&text));
    assert_str(follow_look(f).restarted, path);
    check_same(f, path, text.n);

    assert_int_equal(truncate(path, 0), 0);
    assert_str(follow_look(f).restarted, path);
    assert_int_equal(follow_look(f).traces, 0);
    append(path, half);
    assert_int_equal(follow_look(f).traces, 1);
    check_same(f, path, half.n);

    assert_int_equal(truncate(path, 0), 0);
    append(path, str_skip(buf_view(&text), 100));
    assert_str(follow_look(f).restarted, path);
    check_same(f, path, text.n - 100);
    follow_free(f);
    buf_free(&text);
}

/* A line that may not be that long is no new file, but one to be read at its end. */
static void line_without_end(void **state)
{
    const char *path = temp_path("endless.log"), *paths[] = {path};
    struct follow *f = follow_new(paths, 1);
    struct buf text = {0};
    struct follow_look look;

    (void)state;
    unpack(&text, traces[0]);
    append(path, buf_view(&text));
    assert_int_equal(follow_look(f).traces, 1);
    assert_int_equal(truncate(path, (off_t)text.n + LIMIT_LINE + 2), 0);
    look = follow_look(f);
    assert_int_equal(look.restarted.n, 0);
    append(path, STR("x"));
    assert_int_equal(follow_look(f).restarted.n, 0);
    follow_free(f);
    buf_free(&text);
}

/* A directory: files come, and go; what is no trace is no failure. */
static void files_that_come(void **state)
{
    char dir[512];
    const char *paths[] = {dir};
    struct follow *f = follow_new(paths, 1);
    struct buf text = {0};
    struct follow_look look;

    (void)state;
    snprintf(dir, sizeof dir, "%s", temp_path("ranks"));
    unpack(&text, traces[0]);
    look = follow_look(f);
    assert_int_equal(look.error, -ENOENT);
    assert_string_equal(look.path, dir);

    assert_int_equal(mkdir(dir, 0700), 0);
    assert_int_equal(follow_look(f).files, 0);
    append(temp_path("ranks/rank_0.log"), buf_view(&text));
    append(temp_path("ranks/notes"), STR("no trace\n"));
    look = follow_look(f);
    assert_int_equal(look.files, 2);
    assert_int_equal(look.traces, 1);
    append(temp_path("ranks/rank_1.log"), buf_view(&text));
    assert_int_equal(follow_look(f).traces, 2);
    check_same(f, dir, text.n);
    assert_int_equal(unlink(temp_path("ranks/rank_0.log")), 0);
    look = follow_look(f);
    assert_true(look.changed);
    assert_int_equal(look.traces, 1);
    assert_false(follow_look(f).changed); /* it is gone only once */
    check_same(f, dir, text.n);
    follow_free(f);
    buf_free(&text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_traces),
        cmocka_unit_test(files_that_change),
        cmocka_unit_test(line_without_end),
        cmocka_unit_test(files_that_come),
    };

    traces = (const char *const *)argv + 1;
    trace_count = (size_t)argc - 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
