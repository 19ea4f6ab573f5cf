/* Launching: how a command ends, what is kept of its output, and that a time limit ends all of it. */
#include "temp.h"

#include "relaunch/environment.h"
#include "relaunch/family.h"
#include "relaunch/launch.h"
#include "util/file.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

struct made {
    struct arena *a;
    struct launch launch;
    struct launch_result result;
    struct buf out, err;
};

static struct made begin(const char *script)
{
    struct made m = {.a = arena_new()};
    struct environment e = {.arena = m.a};
    const char **argv = ARENA_ARRAY(m.a, const char *, 4);

    argv[0] = "sh";
    argv[1] = "-c";
    argv[2] = script;
    m.launch = (struct launch){.argv = argv,
                               .environment = environment_make(&e),
                               .directory = temp_dir(),
                               .out_path = arena_printf(m.a, "%s/out", temp_dir()).p,
                               .err_path = arena_printf(m.a, "%s/err", temp_dir()).p,
                               .silent = true};
    return m;
}

static void go(struct made *m)
{
    assert_int_equal(launch_run(&m->launch, &m->result), 0);
    assert_int_equal(read_file(m->launch.out_path, 1 << 24, &m->out), 0);
    assert_int_equal(read_file(m->launch.err_path, 1 << 24, &m->err), 0);
}

static void end(struct made *m)
{
    buf_free(&m->out);
    buf_free(&m->err);
    arena_free(m->a);
}

static void exits(void **state)
{
    struct made m = begin("echo hello; echo oops >&2; pwd; exit 7");

    (void)state;
    go(&m);
    assert_int_equal(m.result.end, LAUNCH_EXITED);
    assert_int_equal(m.result.status, 7);
    assert_str(buf_view(&m.out), arena_printf(m.a, "hello\n%s\n", temp_dir()).p);
    assert_str(buf_view(&m.err), "oops\n");
    assert_false(m.result.left_behind);
    end(&m);
}

static void is_killed(void **state)
{
    struct made m = begin("kill -SEGV $$");

    (void)state;
    go(&m);
    assert_int_equal(m.result.end, LAUNCH_SIGNALLED);
    assert_int_equal(m.result.signal, SIGSEGV);
    end(&m);
}

static void cannot_start(void **state)
{
    static const char *const none[] = {"there-is-no-such-program", NULL};
    struct made m = begin("");

    (void)state;
    m.launch.argv = none;
    go(&m);
    assert_int_equal(m.result.end, LAUNCH_NOT_STARTED);
    assert_int_equal(m.result.error, ENOENT);
    assert_false(m.result.directory_failed);
    m.launch.directory = "/there/is/none";
    assert_int_equal(launch_run(&m.launch, &m.result), 0);
    assert_int_equal(m.result.end, LAUNCH_NOT_STARTED);
    assert_true(m.result.directory_failed);
    m.launch.out_path = "/there/is/none";
    assert_int_equal(launch_run(&m.launch, &m.result), -ENOENT);
    end(&m);
}

static void keeps_much(void **state)
{
    struct made m = begin("head -c 3000000 /dev/zero | tr '\\0' x; head -c 2000000 /dev/zero | tr '\\0' y >&2");

    (void)state;
    go(&m);
    assert_int_equal(m.out.n, 3000000);
    assert_int_equal(m.err.n, 2000000);
    end(&m);
}

/* What a pipe says of signals that this program ignores is not for the command. */
static void gives_signals_back(void **state)
{
    struct made m = begin("(yes; echo $? >&2) | head -1 >/dev/null");

    (void)state;
    signal(SIGPIPE, SIG_IGN);
    go(&m);
    assert_str(buf_view(&m.err), "141\n");
    end(&m);
}

static int64_t milliseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* torchrun puts its workers into sessions of their own; one of these ignores SIGTERM, and its parent is gone. */
static void time_limit_ends_all(void **state)
{
    struct made m = begin("setsid sh -c 'echo worker $$; trap \"\" TERM; while :; do sleep 1; done' & "
                          "trap 'echo told; exit 3' TERM; while :; do sleep 0.1; done");
    int64_t begun = milliseconds();
    uint64_t pid = 0;
    struct str rest;

    (void)state;
    m.launch.time_limit_s = 1;
    go(&m);
    assert_int_equal(m.result.end, LAUNCH_TIMED_OUT);
    assert_true(milliseconds() - begun < 9000);
    assert_true(m.result.wall_s >= 1 && m.result.wall_s < 5);
    rest = buf_view(&m.out);
    assert_true(str_consume(&rest, STR("worker ")) && str_take_u64(&rest, &pid));
    assert_str(rest, "\ntold\n");
    assert_int_equal(kill((pid_t)pid, 0), -1);
    assert_int_equal(errno, ESRCH);
    end(&m);
}

/* Ctrl-C reaches this program, which passes it on: the command may say good-bye. */
static void interrupt_is_passed_on(void **state)
{
    struct made m = begin("trap 'echo caught; exit 5' INT; while :; do sleep 0.1; done");
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        struct timespec t = {.tv_nsec = 700000000};

        nanosleep(&t, NULL);
        kill(getppid(), SIGINT);
        _exit(0);
    }
    go(&m);
    assert_int_equal(m.result.end, LAUNCH_INTERRUPTED);
    assert_int_equal(m.result.signal, SIGINT);
    assert_str(buf_view(&m.out), "caught\n");
    end(&m);
}

/* What this process would print, of a command that is launched in a child of it. */
static struct str passed_on(struct made *m, struct buf *out)
{
    const char *path = arena_printf(m->a, "%s/passed", temp_dir()).p;
    pid_t child = fork();

    if (child == 0) {
        int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

        dup2(fd, STDERR_FILENO);
        m->launch.silent = false;
        _exit(launch_run(&m->launch, &m->result) != 0);
    }
    waitpid(child, NULL, 0);
    assert_int_equal(read_file(path, 1 << 20, out), 0);
    return buf_view(out);
}

#define V_LINE "V1121 08:00:06.012000 19898 torch/_dynamo/x.py:1] [0/0] [__graph_breaks] a\n"
#define W_LINE "W1121 08:00:06.012000 19898 torch/_dynamo/x.py:1] [0/0] careful\n"

static void logs_are_kept_and_not_shown(void **state)
{
    struct made m = begin("printf '" V_LINE "' >&2; echo plain >&2; printf '[rank0]:" V_LINE "' >&2; printf '" W_LINE
                          "' >&2; printf '[1/2] half' >&2; sleep 0.4; echo ' done' >&2; printf 'Validating' >&2");
    struct buf out = {0}, kept = {0};

    (void)state;
    assert_str(passed_on(&m, &out), "plain\n" W_LINE "[1/2] half done\nValidating");
    assert_int_equal(read_file(m.launch.err_path, 1 << 20, &kept), 0);
    assert_str(buf_view(&kept), V_LINE "plain\n[rank0]:" V_LINE W_LINE "[1/2] half done\nValidating");
    buf_free(&out);
    out = (struct buf){0};
    m.launch.show_logs = true;
    assert_str(passed_on(&m, &out), V_LINE "plain\n[rank0]:" V_LINE W_LINE "[1/2] half done\nValidating");
    buf_free(&out);
    buf_free(&kept);
    end(&m);
}

/* A daemon that keeps the pipes open is not waited for. */
static void what_stays_is_left(void **state)
{
    struct made m = begin("sleep 20 & echo $!");
    int64_t begun = milliseconds();
    uint64_t pid = 0;

    (void)state;
    go(&m);
    assert_int_equal(m.result.end, LAUNCH_EXITED);
    assert_true(m.result.left_behind);
    assert_true(milliseconds() - begun < 15000);
    assert_true(str_u64(str_trim(buf_view(&m.out)), &pid));
    assert_int_equal(kill((pid_t)pid, 0), 0);
    family_kill();
    assert_int_equal(kill((pid_t)pid, 0), -1);
    end(&m);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(exits),
        cmocka_unit_test(is_killed),
        cmocka_unit_test(cannot_start),
        cmocka_unit_test(keeps_much),
        cmocka_unit_test(gives_signals_back),
        cmocka_unit_test(time_limit_ends_all),
        cmocka_unit_test(interrupt_is_passed_on),
        cmocka_unit_test(logs_are_kept_and_not_shown),
        cmocka_unit_test(what_stays_is_left),
    };

    return RUN(tests);
}
