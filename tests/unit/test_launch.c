/* Launching: how a command ends, what is kept of its output, and that a time limit ends all of it. */
#include "temp.h"

#include "relaunch/launch/family.h"
#include "relaunch/launch/input_tape.h"
#include "relaunch/launch/interrupts.h"
#include "relaunch/launch/launch.h"
#include "relaunch/workload/environment.h"
#include "util/system/file.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
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

static int64_t milliseconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
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
    assert_int_equal(m.result.end, LAUNCH_SIGNALED);
    assert_int_equal(m.result.signal, SIGSEGV);
    end(&m);
}

static void cannot_start(void **state)
{
    static const char *const none[] = {"there-is-no-such-program", NULL};
    struct made m = begin("");

    (void)state;
    m.launch.argv = none;
    for (int i = 0; i < 40; i++) { /* what comes first, its end or the end of its outputs, is up to the machine */
        m.launch.last = i % 2;
        assert_int_equal(launch_run(&m.launch, &m.result), 0);
        assert_int_equal(m.result.end, LAUNCH_NOT_STARTED);
        assert_int_equal(m.result.error, ENOENT);
        assert_false(m.result.directory_failed || m.result.left_behind || m.result.killed_rest);
    }
    m.launch.directory = "/there/is/none";
    assert_int_equal(launch_run(&m.launch, &m.result), 0);
    assert_int_equal(m.result.end, LAUNCH_NOT_STARTED);
    assert_true(m.result.directory_failed);
    m.launch.out_path = "/there/is/none";
    assert_int_equal(launch_run(&m.launch, &m.result), -ENOENT);
    end(&m);
}

/*
 * With ever more descriptors, until there are enough: whatever could not be made, the launch ends at once and says so,
 * nothing is killed that was not started, and no descriptor is lost.
 */
static void descriptors_run_out(void **state)
{
    struct made m = begin("exit 7");
    struct rlimit before, few;
    int spare;

    (void)state;
    interrupts_hold(); /* its descriptor stays */
    spare = dup(0);
    close(spare);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = before;
    for (int way = 0; way < 4; way++) {
        int64_t begun = milliseconds();
        int failures = 0, rc = 0;

        m.launch.last = way % 2;
        m.launch.plain = way / 2;
        m.result.end = LAUNCH_NOT_STARTED;
        for (rlim_t more = 1; more < 40 && (rc || m.result.end != LAUNCH_EXITED); more++) {
            few.rlim_cur = (rlim_t)spare + more;
            assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
            rc = launch_run(&m.launch, &m.result);
            setrlimit(RLIMIT_NOFILE, &before);
            assert_int_equal(dup(0), spare);
            close(spare);
            assert_false(m.result.killed_rest || m.result.left_behind || m.result.unkillable);
            if (rc) {
                assert_int_equal(rc, -EMFILE);
            } else if (m.result.end != LAUNCH_EXITED) {
                assert_int_equal(m.result.end, LAUNCH_NOT_STARTED);
                assert_int_equal(m.result.error, EMFILE);
                failures++;
            }
        }
        assert_int_equal(rc, 0);
        assert_int_equal(m.result.status, 7);
        assert_true(failures > 0);
        assert_true(milliseconds() - begun < 1000 * (failures + 1));
    }
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

/* The program goes on; that something is missing is known. */
static void cannot_be_stored(void **state)
{
    struct made m = begin("echo hello; exit 7");

    (void)state;
    for (int i = 0; i < 2; i++) {
        m.launch.out_path = i == 0 ? "/dev/full" : "/dev/null";
        m.launch.err_path = "/dev/null";
        assert_int_equal(launch_run(&m.launch, &m.result), 0);
        assert_int_equal(m.result.status, 7);
        assert_int_equal(m.result.out_error, i == 0 ? ENOSPC : 0);
    }
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

/* Of this program, and what it forks: another one that runs the same test has other marks. */
static pid_t program;

__attribute__((constructor)) static void note_program(void)
{
    program = getpid();
}

static const char *own(const char *mark, char *to, size_t n)
{
    snprintf(to, n, "%s.%ld.", mark, (long)program);
    return to;
}

/* Processes that a script started carry its mark in their environment, wherever they are. How many there are. */
static size_t marked(const char *mark)
{
    char name[80];
    struct str ours = str_of(own(mark, name, sizeof name));
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    size_t n = 0;

    while (proc && (entry = readdir(proc))) {
        struct buf text = {0};
        char path[300];
        uint64_t pid;

        snprintf(path, sizeof path, "/proc/%s/environ", entry->d_name);
        if (str_u64(str_of(entry->d_name), &pid) && read_file(path, 1 << 20, &text) == 0)
            n += str_has(buf_view(&text), ours);
        buf_free(&text);
    }
    closedir(proc);
    return n;
}

static void sleep_ms(int64_t ms)
{
    const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};

    nanosleep(&t, NULL);
}

/* What is killed is gone a moment later. */
static void assert_none(const char *mark)
{
    for (int i = 0; i < 100 && marked(mark); i++)
        sleep_ms(20);
    assert_int_equal(marked(mark), 0);
}

static struct made begin_marked(const char *script, const char *mark)
{
    struct made m = begin(script);
    struct environment e = {.arena = m.a};
    char name[80];

    environment_set(&e, STR("PT2TRACE_TEST_MARK"), str_of(own(mark, name, sizeof name)));
    m.launch.environment = environment_make(&e);
    m.launch.grace_ms = 400;
    return m;
}

/* torchrun puts its workers into sessions of their own; one of these ignores SIGTERM, and its parent is gone. */
static void time_limit_ends_all(void **state)
{
    struct made m = begin_marked("setsid sh -c 'echo worker; trap \"\" TERM; while :; do sleep 1; done' & "
                                 "trap 'echo asked; exit 3' TERM; while :; do sleep 0.1; done",
                                 "time-limit-ends-all");
    int64_t begun = milliseconds();

    (void)state;
    m.launch.time_limit_s = 1;
    go(&m);
    assert_int_equal(m.result.end, LAUNCH_TIMED_OUT);
    assert_true(milliseconds() - begun < 9000);
    assert_true(m.result.wall_s >= 1 && m.result.wall_s < 5);
    assert_str(buf_view(&m.out), "worker\nasked\n");
    assert_false(m.result.unkillable);
    assert_none("time-limit-ends-all");
    end(&m);
}

/* What has a handler for the signal is asked where it is, before it is ended. */
static void stacks_are_asked_for(void **state)
{
    char script[100];
    struct made m;

    (void)state;
    snprintf(script, sizeof script, "trap 'echo here' %d; while :; do sleep 0.1; done", LAUNCH_STACKS_SIGNAL);
    m = begin_marked(script, "stacks");
    m.launch.time_limit_s = 1;
    go(&m);
    assert_int_equal(m.result.end, LAUNCH_TIMED_OUT);
    assert_str(buf_view(&m.out), "here\n");
    assert_none("stacks");
    end(&m);
}

/* Programs that do not end when they are asked to. */
static const char *const stubborn[] = {
    "trap '' TERM INT HUP; while :; do sleep 1; done",
    "trap 'echo no' TERM; while :; do sleep 1; done",
    "kill -STOP $$; sleep 60",
    "trap '' TERM; kill -STOP $$; while :; do sleep 1; done",
    "(setsid sh -c 'trap \"\" TERM; sleep 60 & sleep 60; sleep 60' &); sleep 60",
    "trap '' TERM; exec 1>&- 2>&-; while :; do sleep 1; done",
    "trap '' TERM; while :; do echo much; done",
    "trap '' TERM; while :; do sleep 60 & sleep 0.01; done",
};

static int run_stubborn(const char *script)
{
    struct made m = begin_marked(script, "stubborn");
    int64_t begun = milliseconds();

    m.launch.out_path = m.launch.err_path = "/dev/null";
    m.launch.time_limit_s = 1;
    return launch_run(&m.launch, &m.result) != 0         ? 1
           : m.result.end != LAUNCH_TIMED_OUT            ? 2
           : milliseconds() - begun >= 1000 + 400 + 5000 ? 3
                                                         : 0;
}

/* All at once, as each takes its time. */
static void each_stubborn_program_ends(void **state)
{
    enum { SCRIPTS = sizeof stubborn / sizeof *stubborn };
    pid_t children[SCRIPTS];

    (void)state;
    for (int i = 0; i < SCRIPTS; i++)
        if ((children[i] = fork()) == 0)
            _exit(run_stubborn(stubborn[i]));
    for (int i = 0; i < SCRIPTS; i++) {
        int status = -1;

        waitpid(children[i], &status, 0);
        assert_int_equal(status, 0);
    }
    assert_none("stubborn");
}

/* One signal asks, a second kills; the same sent twice at once (as timeout(1) does) is one. */
static void second_signal_kills(void **state)
{
    struct made m = begin_marked("trap 'echo caught' INT; while :; do sleep 0.1; done", "second-signal");
    int64_t begun = milliseconds();
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        sleep_ms(700);
        kill(getppid(), SIGINT);
        kill(getppid(), SIGINT);
        sleep_ms(1000);
        kill(getppid(), SIGINT);
        _exit(0);
    }
    m.launch.grace_ms = 20000;
    go(&m);
    assert_int_equal(m.result.end, LAUNCH_INTERRUPTED);
    assert_true(milliseconds() - begun >= 1600 && milliseconds() - begun < 7000);
    assert_str(buf_view(&m.out), "caught\n");
    assert_none("second-signal");
    end(&m);
}

/* A signal that came before anything was started is not lost. */
static void signal_before_the_start(void **state)
{
    struct made m = begin("echo started");

    (void)state;
    interrupts_hold();
    kill(getpid(), SIGINT);
    go(&m);
    assert_int_equal(m.result.end, LAUNCH_INTERRUPTED);
    assert_int_equal(m.result.signal, SIGINT);
    assert_int_equal(m.out.n, 0);
    end(&m);
}

/* The program that launches is killed: nothing stays that it started, nor what that started. */
static void nothing_outlives_its_launcher(void **state)
{
    struct made m = begin_marked("setsid sleep 60 & (setsid sleep 60 &) ; sleep 60", "outlives");
    pid_t child = fork();

    (void)state;
    if (child == 0)
        _exit(launch_run(&m.launch, &m.result));
    for (int i = 0; i < 200 && marked("outlives") < 4; i++)
        sleep_ms(20);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_none("outlives");
    end(&m);
}

/* The process named so that is a child of ours. */
static pid_t child_named(const char *name)
{
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    pid_t found = 0;

    while (proc && (entry = readdir(proc))) {
        struct buf text = {0};
        char path[300], wanted[100];
        uint64_t pid;

        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        snprintf(wanted, sizeof wanted, "(%s) S %d ", name, (int)getppid());
        if (str_u64(str_of(entry->d_name), &pid) && read_file(path, 4096, &text) == 0 &&
            str_has(buf_view(&text), str_of(wanted)))
            found = (pid_t)pid;
        buf_free(&text);
    }
    closedir(proc);
    return found;
}

static void guardian_is_killed(void **state)
{
    struct made m = begin_marked("setsid sleep 60 & sleep 60", "guardian");
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        pid_t guardian = 0;

        for (int i = 0; i < 200 && (marked("guardian") < 3 || !(guardian = child_named("pt2trace-guard"))); i++)
            sleep_ms(20);
        if (guardian > 0) /* 0 would be all of this group */
            kill(guardian, SIGKILL);
        _exit(0);
    }
    go(&m);
    assert_int_equal(m.result.end, LAUNCH_SIGNALED);
    assert_int_equal(m.result.signal, SIGKILL);
    assert_none("guardian");
    end(&m);
}

/* Nobody reads what is passed on: the program waits, as it would without us, and the time limit counts. */
static void reader_that_does_not_read(void **state)
{
    struct made m = begin_marked("while :; do echo much and more; done", "no-reader");
    int ends[2], status;
    pid_t child;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    m.launch.silent = false;
    m.launch.time_limit_s = 1;
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        status = launch_run(&m.launch, &m.result);
        _exit(status == 0 && m.result.end == LAUNCH_TIMED_OUT ? 0 : 1);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_none("no-reader");
    close(ends[0]);
    close(ends[1]);
    end(&m);
}

/* The reader has enough (`| head`): the program learns it as it would without us. */
static void reader_that_goes(void **state)
{
    struct made m = begin("while :; do echo line; done");
    int ends[2], status;
    pid_t child;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    m.launch.silent = false;
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        signal(SIGPIPE, SIG_IGN);
        status = launch_run(&m.launch, &m.result);
        _exit(status == 0 && m.result.end == LAUNCH_SIGNALED && m.result.signal == SIGPIPE ? 0 : 1);
    }
    close(ends[1]);
    sleep_ms(100);
    close(ends[0]);
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    end(&m);
}

/* All of it arrives, however slowly it is read. */
static void reader_that_is_slow(void **state)
{
    struct made m = begin("head -c 3000000 /dev/zero");
    char block[40000];
    size_t got = 0;
    int ends[2];
    ssize_t n;
    pid_t child;

    (void)state;
    assert_int_equal(pipe(ends), 0);
    m.launch.silent = false;
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        _exit(launch_run(&m.launch, &m.result));
    }
    close(ends[1]);
    sleep_ms(3500);
    while ((n = read(ends[0], block, sizeof block)) > 0)
        got += (size_t)n;
    waitpid(child, NULL, 0);
    assert_int_equal(got, 3000000);
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

/* A daemon that keeps the pipes open, and one that does not: neither is waited for, nor ended. */
static void what_stays_is_left(void **state)
{
    static const char *const daemons[] = {"setsid sh -c 'sleep 4; echo late; sleep 60' & echo started",
                                          "setsid sleep 60 >/dev/null 2>&1 & echo started"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct made m = begin_marked(daemons[i], "daemon");
        int64_t begun = milliseconds();

        m.launch.last = true;
        go(&m);
        assert_int_equal(m.result.end, LAUNCH_EXITED);
        assert_true(m.result.left_behind);
        assert_true(milliseconds() - begun < 4500);
        assert_str(buf_view(&m.out), "started\n");
        assert_true(marked("daemon") > 0);
        if (i == 0) {
            /* What it writes then is kept, and does not end it. */
            sleep_ms(2000);
            m.out.n = 0;
            assert_int_equal(read_file(m.launch.out_path, 1 << 20, &m.out), 0);
            assert_str(buf_view(&m.out), "started\nlate\n");
        }
        family_signal(FAMILY_ALL, 0, SIGKILL);
        assert_none("daemon");
        end(&m);
    }
}

/* Where another launch follows, nothing of this one may be in its way. */
static void what_stays_is_ended(void **state)
{
    struct made m = begin_marked("setsid sleep 60 & echo started", "in-the-way");

    (void)state;
    go(&m);
    assert_int_equal(m.result.end, LAUNCH_EXITED);
    assert_true(m.result.killed_rest);
    assert_false(m.result.left_behind);
    assert_none("in-the-way");
    end(&m);
}

/* Several launches read the same: of a pipe that is never closed, and of a file from where it stands. */
static void tape_gives_the_same(void **state)
{
    struct made m = begin("read a; read b; echo \"$a-$b\"");
    struct input_tape tape;
    int ends[2], before = dup(STDIN_FILENO);

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "one\ntwo\nthree\n", 14), 14);
    dup2(ends[0], STDIN_FILENO);
    tape_begin(&tape);
    m.launch.input = &tape;
    for (int i = 0; i < 3; i++) {
        m.out.n = m.err.n = 0;
        go(&m);
        assert_str(buf_view(&m.out), "one-two\n");
    }
    tape_end(&tape);
    dup2(before, STDIN_FILENO);
    close(before);
    close(ends[0]);
    close(ends[1]);
    end(&m);
}

static void memory_is_measured(void **state)
{
    struct made m = begin("head -c 60000000 /dev/zero | tail -n 1 | wc -c");

    (void)state;
    go(&m);
    assert_str(buf_view(&m.out), "60000000\n");
    assert_true(m.result.peak_kb > 50000);
    end(&m);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(exits),
        cmocka_unit_test(cannot_be_stored),
        cmocka_unit_test(is_killed),
        cmocka_unit_test(cannot_start),
        cmocka_unit_test(descriptors_run_out),
        cmocka_unit_test(keeps_much),
        cmocka_unit_test(gives_signals_back),
        cmocka_unit_test(time_limit_ends_all),
        cmocka_unit_test(stacks_are_asked_for),
        cmocka_unit_test(each_stubborn_program_ends),
        cmocka_unit_test(interrupt_is_passed_on),
        cmocka_unit_test(second_signal_kills),
        cmocka_unit_test(signal_before_the_start),
        cmocka_unit_test(nothing_outlives_its_launcher),
        cmocka_unit_test(guardian_is_killed),
        cmocka_unit_test(reader_that_does_not_read),
        cmocka_unit_test(reader_that_goes),
        cmocka_unit_test(reader_that_is_slow),
        cmocka_unit_test(what_stays_is_left),
        cmocka_unit_test(what_stays_is_ended),
        cmocka_unit_test(tape_gives_the_same),
        cmocka_unit_test(memory_is_measured),
    };

    int input[2];

    /* As at a terminal: nothing comes, and it does not end. */
    if (pipe(input) || dup2(input[0], STDIN_FILENO) < 0)
        return 1;
    signal(SIGINT, SIG_DFL); /* nohup and background shells ignore it */
    return RUN(tests);
}
