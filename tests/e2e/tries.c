/*
 * tries: loaded into pt2trace (LD_PRELOAD) by test_sandbox.py, it does what a hostile trace would do with a fault of
 * the program: when the program first reads a file in its sandbox, it tries what a reader of traces has no use for, and
 * says on standard error what came of each attempt: "NAME: allowed", or the words for the error.
 *
 *     TRIES_SECRET=F   a file that was not named to the program
 *     TRIES_FOLDER=D   a directory that was not, with a file `there` in it
 *     TRIES_PARENT=PID a process that may be sent signals
 */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char secret[4096], there[4096], fresh[4096], folder[4096];
static pid_t parent;

static int close_it(int fd)
{
    return fd < 0 ? -1 : close(fd);
}

static int read_secret(void)
{
    return close_it(open(secret, O_RDONLY));
}

static int read_passwords(void)
{
    return close_it(open("/etc/passwd", O_RDONLY));
}

static int read_environment(void)
{
    return close_it(open("/proc/self/environ", O_RDONLY));
}

static int list_folder(void)
{
    return close_it(open(folder, O_RDONLY | O_DIRECTORY));
}

static int write_there(void)
{
    return close_it(open(there, O_WRONLY));
}

static int append_there(void)
{
    return close_it(open(there, O_WRONLY | O_APPEND));
}

static int truncate_there(void)
{
    return truncate(there, 0);
}

static int create(void)
{
    return close_it(open(fresh, O_WRONLY | O_CREAT | O_EXCL, 0600));
}

static int make_directory(void)
{
    return mkdir(fresh, 0700);
}

static int make_link(void)
{
    return symlink("/etc/passwd", fresh);
}

static int make_second_name(void)
{
    return link(there, fresh);
}

static int remove_there(void)
{
    return unlink(there);
}

static int rename_there(void)
{
    return rename(there, fresh);
}

static int change_mode(void)
{
    return chmod(there, 0777);
}

static int change_attribute(void)
{
    return (int)syscall(SYS_setxattr, there, "user.pt2trace", "x", 1, 0);
}

static int connect_tcp(void)
{
    return close_it(socket(AF_INET, SOCK_STREAM, 0));
}

static int connect_udp(void)
{
    return close_it(socket(AF_INET6, SOCK_DGRAM, 0));
}

static int connect_unix(void)
{
    return close_it(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int start_process(void)
{
    pid_t child = fork();

    if (child == 0)
        _exit(0);
    return child < 0 ? -1 : waitpid(child, NULL, 0) < 0;
}

static int start_program(void)
{
    return execl("/bin/echo", "echo", "exec: allowed", (char *)NULL);
}

static int start_shell(void)
{
    int status = system("true");

    return status == 0 ? 0 : -1;
}

static int send_signal(void)
{
    return kill(parent, 0);
}

static int trace_process(void)
{
    return (int)ptrace(PTRACE_SEIZE, parent, 0, 0);
}

static int ring(void)
{
    char parameters[120] = {0};

    return close_it((int)syscall(SYS_io_uring_setup, 1, parameters));
}

static int namespaces(void)
{
    return (int)syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */);
}

static const struct {
    const char *name;
    int (*attempt)(void);
} attempts[] = {
    {"read another file", read_secret},
    {"read /etc/passwd", read_passwords},
    {"read the environment", read_environment},
    {"list another directory", list_folder},
    {"write another file", write_there},
    {"append to another file", append_there},
    {"truncate another file", truncate_there},
    {"make a file", create},
    {"make a directory", make_directory},
    {"make a symbolic link", make_link},
    {"make a second name", make_second_name},
    {"remove a file", remove_there},
    {"rename a file", rename_there},
    {"change the mode of a file", change_mode},
    {"change an attribute of a file", change_attribute},
    {"make a TCP socket", connect_tcp},
    {"make a UDP socket", connect_udp},
    {"make a Unix socket", connect_unix},
    {"start a process", start_process},
    {"start a shell", start_shell},
    {"send a signal", send_signal},
    {"trace a process", trace_process},
    {"make a ring of system calls", ring},
    {"make a namespace", namespaces},
    {"start a program", start_program}, /* the last one: where it succeeds, nothing comes behind it */
};

static void set(char *to, const char *name, const char *rest)
{
    snprintf(to, sizeof secret, "%s%s", getenv(name) ? getenv(name) : "", rest);
}

/* The environment is no longer asked for in the sandbox, though it could be. */
__attribute__((constructor)) static void begin(void)
{
    set(secret, "TRIES_SECRET", "");
    set(folder, "TRIES_FOLDER", "");
    set(there, "TRIES_FOLDER", "/there");
    set(fresh, "TRIES_FOLDER", "/fresh");
    parent = getenv("TRIES_PARENT") ? atoi(getenv("TRIES_PARENT")) : 0;
    unsetenv("LD_PRELOAD");
}

static void try_all(void)
{
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        bool allowed = attempts[i].attempt() == 0;

        dprintf(STDERR_FILENO, "try %s: %s\n", attempts[i].name, allowed ? "allowed" : strerror(errno));
    }
}

/* A filter of system calls, or that no program may give more rights, is the sign of the sandbox. */
static void try_once(void)
{
    static int done;

    if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1 || __atomic_exchange_n(&done, 1, __ATOMIC_SEQ_CST))
        return;
    try_all();
}

ssize_t read(int fd, void *p, size_t n)
{
    static ssize_t (*next)(int, void *, size_t);

    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "read");
    try_once();
    return next(fd, p, n);
}

/* With _FORTIFY_SOURCE. */
ssize_t __read_chk(int fd, void *p, size_t n, size_t room)
{
    (void)room;
    return read(fd, p, n);
}

static ssize_t read_there(const char *name, int fd, void *p, size_t n, off_t offset)
{
    ssize_t (*next)(int, void *, size_t, off_t);

    *(void **)&next = dlsym(RTLD_NEXT, name);
    try_once();
    return next(fd, p, n, offset);
}

ssize_t pread(int fd, void *p, size_t n, off_t offset)
{
    return read_there("pread", fd, p, n, offset);
}

ssize_t pread64(int fd, void *p, size_t n, off_t offset)
{
    return read_there("pread64", fd, p, n, offset);
}

ssize_t __pread_chk(int fd, void *p, size_t n, off_t offset, size_t room)
{
    (void)room;
    return pread(fd, p, n, offset);
}

ssize_t __pread64_chk(int fd, void *p, size_t n, off_t offset, size_t room)
{
    (void)room;
    return pread64(fd, p, n, offset);
}
